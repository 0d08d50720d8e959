#!/usr/bin/env python3
"""Checks lines in a local Spark cluster and by one program, and compares the two line by line.

Usage: tests/spark.py PROGRAM [LINES [FILE]]

LINES lines (100,000) are made from the JSON Lines of FILE (a sample), every fiftieth of them broken, handed to PROGRAM by
`rdd.pipe` in 8 partitions, and once more to a single run. Exit status: 0 equal, or skipped where Java or pyspark is
missing, which is said; 1 not equal.
"""
import json
import pathlib
import shutil
import subprocess
import sys

PARTITIONS = 8


def lines(source, count):
    """So many lines, numbered by their ids; neighbours of one id are there, too."""
    responses = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
    for number in range(count):
        if number % 50 == 49:
            yield '{"candidates": [{"content"'
        else:
            yield json.dumps(responses[number % len(responses)] | {"responseId": f"r{number // 3}"}, ensure_ascii=False)


def placeless(line):
    """What is said of a line, without where it was read: a partition counts its lines anew."""
    said = json.loads(line)
    said.pop("line")
    if "error" in said:
        said["error"].pop("line")
    for response in said.get("responses", []):
        response.pop("record")
        for finding in response["findings"]:
            finding.pop("line")
    return said


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    here = pathlib.Path(__file__).resolve().parent.parent
    source = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else here / "samples/gemini-batch.jsonl"
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        sys.exit(print("skipped: pyspark is not installed (pip install pyspark)"))
    if shutil.which("java") is None:
        sys.exit(print("skipped: there is no Java"))
    made = list(lines(source, count))
    command = [str(program), "check", "--each-line"]
    run = subprocess.run(command, input="\n".join(made) + "\n", capture_output=True, text=True, check=False)
    single = run.stdout.splitlines()
    spark = SparkSession.builder.master(f"local[{PARTITIONS}]").config("spark.ui.enabled", "false").getOrCreate()
    piped = spark.sparkContext.parallelize(made, PARTITIONS).pipe(" ".join(command))
    several = piped.collect()
    rules = spark.read.json(piped).selectExpr("explode(responses) as response").selectExpr("explode(response.findings) as finding")
    rules.groupBy("finding.rule").count().orderBy("count", ascending=False).show(10, truncate=False)
    spark.stop()
    if len(single) != count or len(several) != count:
        sys.exit(f"{count} lines gave {len(single)} in a single run and {len(several)} in {PARTITIONS} partitions")
    for number, (one, other) in enumerate(zip(single, several), 1):
        if placeless(one) != placeless(other):
            sys.exit(f"line {number} differs:\n{one}\n{other}")
    print(f"{count} lines, {PARTITIONS} partitions: the same line by line")


main()
