"""Pages need the extra `serve`, which is part of `dev`."""

from batllm_arcade.serve.seat import pages_missing

collect_ignore_glob = ["test_*.py"] if pages_missing() else []
