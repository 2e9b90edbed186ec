"""One measurement of the Python (C++) client: reads a job as JSON from its argument and prints the outcome as JSON."""

import json
import resource
import sys
import threading
import time

import pulsar


def cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def peak_rss():
    try:
        with open("/proc/self/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0


def produce(client, job):
    producer = client.create_producer(
        job["topic"],
        batching_enabled=job["batched"],
        batching_max_messages=1000,
        batching_max_allowed_size_in_bytes=131072,
        batching_max_publish_delay_ms=1,
        max_pending_messages=job["openSends"],
        block_if_queue_full=True,
    )
    payload = bytes((i * 31) & 255 for i in range(job["sizeBytes"]))
    room = threading.Semaphore(job["openSends"])

    def run(count, limit, latencies):
        end = time.perf_counter() + limit
        sent = 0
        while (count == 0 or sent < count) and (limit == 0 or sent % 64 or time.perf_counter() < end):
            room.acquire()
            started = time.perf_counter()

            def on_receipt(result, _id, started=started):
                if result != pulsar.Result.Ok:
                    print(result, file=sys.stderr)
                latencies.append(time.perf_counter() - started)
                room.release()

            producer.send_async(payload, on_receipt)
            sent += 1
        producer.flush()
        while len(latencies) < sent:
            time.sleep(0.001)
        return sent

    run(job["warmUpMessages"], job["warmUpSeconds"], [])
    latencies = []
    started, cpu = time.perf_counter(), cpu_seconds()
    sent = run(job["messages"], job["seconds"], latencies)
    seconds, used = time.perf_counter() - started, cpu_seconds() - cpu
    latencies.sort()
    return {
        "messages": sent,
        "seconds": seconds,
        "cpuSeconds": used,
        "p50Ms": latencies[len(latencies) // 2] * 1000,
        "p99Ms": latencies[len(latencies) * 99 // 100] * 1000,
    }


def consume(client, job):
    consumer = client.subscribe(
        job["topic"],
        job["subscription"],
        consumer_type=pulsar.ConsumerType.Exclusive,
        initial_position=pulsar.InitialPosition.Earliest,
        receiver_queue_size=1000,
        batch_index_ack_enabled=True,
    )

    def receive(count, limit):
        end = time.perf_counter() + limit
        seen = 0
        while seen < count and (limit == 0 or seen % 64 or time.perf_counter() < end):
            consumer.acknowledge(consumer.receive())
            seen += 1
        return seen

    receive(job["warmUpMessages"], 0)
    started, cpu = time.perf_counter(), cpu_seconds()
    seen = receive(job["messages"], job["seconds"])
    return {
        "messages": seen,
        "seconds": time.perf_counter() - started,
        "cpuSeconds": cpu_seconds() - cpu,
        "p50Ms": 0,
        "p99Ms": 0,
    }


def main():
    job = json.loads(sys.argv[1])
    logger = pulsar.ConsoleLogger(pulsar.LoggerLevel.Error)
    client = pulsar.Client(job["serviceUrl"], logger=logger)
    outcome = produce(client, job) if job["kind"] == "produce" else consume(client, job)
    outcome["peakRssMb"] = peak_rss()
    print(json.dumps(outcome), flush=True)
    client.close()


main()
