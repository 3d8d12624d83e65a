"""Evaluations and training steps of a net in PyTorch: `torch_net.py GAME BLOCKS FILTERS SECONDS`, prints one JSON line.

The net has the trunk and the heads of `zero`: residual blocks on a torus, pooling in the middle, a policy of planes,
a value and a lead. PyTorch has no hexagonal kernels, so they are squares of 3 x 3 whatever the game. Its input layer sees 3 x 3
cells, ours 19 or 25: that is in PyTorch's favor. One thread, CPU time.
"""

import importlib.metadata
import json
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

SIZES = {"infexion": (7, 12, 7), "tetress": (11, 2, 19)}
N_SCALARS = 4
N_HIDDEN = 32
BATCHES = (1, 128)
TRAINING_BATCH = 256


def convolution(inputs: int, outputs: int) -> nn.Conv2d:
    return nn.Conv2d(inputs, outputs, 3)


def on_torus(layer: nn.Conv2d, x: torch.Tensor) -> torch.Tensor:
    return layer(F.pad(x, (1, 1, 1, 1), mode="circular"))


class Block(nn.Module):
    def __init__(self, filters: int):
        super().__init__()
        self.first, self.second = convolution(filters, filters), convolution(filters, filters)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(x + on_torus(self.second, F.relu(on_torus(self.first, x))))


class Net(nn.Module):
    def __init__(self, game: str, n_blocks: int, filters: int):
        super().__init__()
        _, n_codes, n_planes = SIZES[game]
        self.has_lines = game == "tetress"
        self.input = convolution(n_codes + N_SCALARS, filters)
        self.blocks = nn.ModuleList(Block(filters) for _ in range(n_blocks))
        self.pool = nn.Linear(2 * filters, filters)
        self.unpool = nn.Linear(filters, filters, bias=False)
        self.policy = nn.Conv2d(filters, n_planes, 1)
        self.head = nn.Linear(2 * filters, N_HIDDEN)
        self.outcome = nn.Linear(N_HIDDEN, 2)

    def message(self, x: torch.Tensor, dims: list[int]) -> torch.Tensor:
        pooled = torch.cat((x.mean(dims), x.amax(dims)), 1)
        last = pooled.movedim(1, -1)
        return self.unpool(F.relu(self.pool(last))).movedim(-1, 1)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = F.relu(on_torus(self.input, x))
        for n, block in enumerate(self.blocks):
            if n == (len(self.blocks) + 1) // 2:
                if self.has_lines:
                    rows, columns = self.message(x, [3]), self.message(x, [2])
                    x = F.relu(x + rows[:, :, :, None] + columns[:, :, None, :])
                else:
                    x = F.relu(x + self.message(x, [2, 3])[:, :, None, None])
            x = block(x)
        pooled = torch.cat((x.mean([2, 3]), x.amax([2, 3])), 1)
        return self.policy(x).flatten(1), torch.tanh(self.outcome(F.relu(self.head(pooled))))


def rate(seconds: float, n: int, work) -> float:
    for _ in range(3):
        work()
    started = time.process_time()
    n_done = 0
    while time.process_time() - started < seconds:
        work()
        n_done += n
    return n_done / (time.process_time() - started)


def evaluations(net: Net, batch: torch.Tensor, seconds: float) -> float:
    """The best of plain calls, of another memory layout, and of a traced and frozen net."""
    net.eval()
    with torch.inference_mode():
        rates = [rate(seconds, len(batch), lambda: net(batch))]
        last = batch.to(memory_format=torch.channels_last)
        rates.append(rate(seconds, len(batch), lambda: net(last)))
    with torch.no_grad():
        frozen = torch.jit.optimize_for_inference(torch.jit.freeze(torch.jit.trace(net, batch)))
        rates.append(rate(seconds, len(batch), lambda: frozen(batch)))
    return max(rates)


def trained(net: Net, batch: torch.Tensor, seconds: float) -> float:
    net.train()
    optimizer = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-4)
    policy = torch.softmax(torch.randn_like(net(batch)[0]), 1).detach()
    outcome = torch.rand(len(batch), 2)

    def step() -> None:
        optimizer.zero_grad()
        logits, values = net(batch)
        loss = -(policy * torch.log_softmax(logits, 1)).sum(1).mean() + F.mse_loss(values, outcome)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 4.0)
        optimizer.step()

    return rate(seconds, len(batch), step)


def main() -> None:
    game, n_blocks, filters, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    torch.manual_seed(1)
    torch.set_num_threads(1)
    size, n_codes, _ = SIZES[game]
    net = Net(game, n_blocks, filters)
    boards = {n: torch.rand(n, n_codes + N_SCALARS, size, size) for n in (*BATCHES, TRAINING_BATCH)}
    figures = {
        "version": importlib.metadata.version("torch"),
        "parameters": sum(p.numel() for p in net.parameters()),
        "evaluations_per_s": {n: evaluations(net, boards[n], seconds / 3) for n in BATCHES},
        "trained_per_s": trained(net, boards[TRAINING_BATCH], seconds),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
