"""Writes a policy of `train.py` as an ONNX file, which `policy:FILE.onnx` plays; needs the package `onnx`.

python examples/training/to_onnx.py my_policy/learned.npz my_policy/learned.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

from network import Network
from onnx import TensorProto, checker, helper, numpy_helper, save


def main() -> None:
    """Convert."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    parameters = Network.read(options.weights).parameters
    nodes = [
        helper.make_node("Gemm", ["observation", "w1", "b1"], ["h1"]), helper.make_node("Tanh", ["h1"], ["t1"]),
        helper.make_node("Gemm", ["t1", "w2", "b2"], ["h2"]), helper.make_node("Tanh", ["h2"], ["t2"]),
        helper.make_node("Gemm", ["t2", "wp", "bp"], ["logits"]),
    ]  # fmt: skip
    inputs, actions = parameters["w1"].shape[0], parameters["bp"].shape[0]
    graph = helper.make_graph(
        nodes, "policy", [helper.make_tensor_value_info("observation", TensorProto.FLOAT, [1, inputs])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, [1, actions])],
        [numpy_helper.from_array(parameters[name], name) for name in ("w1", "b1", "w2", "b2", "wp", "bp")],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, options.out)


if __name__ == "__main__":
    main()
