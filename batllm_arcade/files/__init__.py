"""Files: checking an output path, finding a free name, replacing a file in one step."""
