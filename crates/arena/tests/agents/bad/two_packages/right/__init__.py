from .base import Base as Agent
