"""The Python client (the C++ one underneath) behind the line protocol of interop/README.md."""

import base64
import json
import logging
import sys
import threading

import pulsar

COMPRESSION = {
    "NONE": pulsar.CompressionType.NONE,
    "LZ4": pulsar.CompressionType.LZ4,
    "ZLIB": pulsar.CompressionType.ZLib,
    "ZSTD": pulsar.CompressionType.ZSTD,
    "SNAPPY": pulsar.CompressionType.SNAPPY,
}

TYPES = {
    "Exclusive": pulsar.ConsumerType.Exclusive,
    "Shared": pulsar.ConsumerType.Shared,
    "Failover": pulsar.ConsumerType.Failover,
    "Key_Shared": pulsar.ConsumerType.KeyShared,
}


def text(data):
    return base64.b64encode(data).decode("ascii")


class Peer:
    def __init__(self):
        self.client = None
        self.consumers = {}

    def connect(self, request):
        quiet = logging.getLogger("pulsar")
        quiet.setLevel(logging.ERROR)
        quiet.addHandler(logging.StreamHandler(sys.stderr))
        self.client = pulsar.Client(request["serviceUrl"], logger=quiet)
        return {}

    def produce(self, request):
        producer = self.client.create_producer(
            request["topic"],
            batching_enabled=request["batching"],
            batching_max_allowed_size_in_bytes=8 * 1024 * 1024,
            batching_max_publish_delay_ms=10_000,
            compression_type=COMPRESSION[request["compression"]],
        )
        messages = request["messages"]
        outcomes = [None] * len(messages)
        settled = threading.Semaphore(0)

        def on_settled(index):
            def callback(result, message_id):
                outcomes[index] = (result, message_id)
                settled.release()

            return callback

        for index, message in enumerate(messages):
            producer.send_async(
                None if message["payload"] is None else base64.b64decode(message["payload"]),
                on_settled(index),
                partition_key=message.get("key"),
                properties=message.get("properties"),
                event_timestamp=message.get("eventTime"),
            )
        producer.flush()
        for _ in messages:
            if not settled.acquire(timeout=30):
                raise RuntimeError("a send did not settle within 30 s")
        producer.close()
        failed = [result for result, _ in outcomes if result != pulsar.Result.Ok]
        if failed:
            raise RuntimeError(f"send failed: {failed[0]}")
        return {"messageIds": [text(message_id.serialize()) for _, message_id in outcomes]}

    def subscribe(self, request):
        self.consumers[request["consumer"]] = self.client.subscribe(
            request["topic"],
            request["subscription"],
            consumer_type=TYPES[request["type"]],
            initial_position=pulsar.InitialPosition.Earliest,
            receiver_queue_size=request["receiverQueueSize"],
        )
        return {}

    def receive(self, request):
        consumer = self.consumers[request["consumer"]]
        messages = []
        while len(messages) < request["count"]:
            try:
                message = consumer.receive(timeout_millis=request["timeoutMs"])
            except pulsar.Timeout:
                break
            messages.append(self.to_json(message))
            consumer.acknowledge(message)
        return {"messages": messages}

    def close(self, request):
        self.consumers.pop(request["consumer"]).close()
        return {}

    @staticmethod
    def to_json(message):
        fields = {
            "payload": None if message.has_null_value() else text(message.data()),
            "properties": message.properties(),
            "eventTime": message.event_timestamp(),
            "publishTime": message.publish_timestamp(),
            "producerName": message.producer_name(),
            "messageId": text(message.message_id().serialize()),
        }
        if message.partition_key():
            fields["key"] = message.partition_key()
        return fields


def main():
    peer = Peer()
    operations = {
        "connect": peer.connect,
        "produce": peer.produce,
        "subscribe": peer.subscribe,
        "receive": peer.receive,
        "close": peer.close,
    }
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = operations[request["op"]](request)
        except Exception as error:  # every failure is an answer
            answer = {"error": f"{type(error).__name__}: {error}"}
        answer["id"] = request["id"]
        print(json.dumps(answer), flush=True)
    if peer.client is not None:
        peer.client.close()


if __name__ == "__main__":
    main()
