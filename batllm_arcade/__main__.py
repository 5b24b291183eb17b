"""`python -m batllm_arcade`."""

from batllm_arcade.cli.main import main

raise SystemExit(main())
