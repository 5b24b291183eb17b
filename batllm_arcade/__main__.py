"""`python -m batllm_arcade`."""

from batllm_arcade.cli import main

raise SystemExit(main())
