from quokkas.program import Agent
