"""Runs an ONNX file with onnxruntime: `onnx.py FILE`, with boards as JSON on standard input. Prints its outputs as JSON."""

import json
import sys

import numpy
import onnxruntime

boards = json.load(sys.stdin)
session = onnxruntime.InferenceSession(sys.argv[1], providers=["CPUExecutionProvider"])
names = [output.name for output in session.get_outputs()]
inputs = {name: numpy.array(values, numpy.float32) for name, values in boards.items()}
outputs = session.run(names, inputs)
print(json.dumps({name: output.tolist() for name, output in zip(names, outputs)}))
