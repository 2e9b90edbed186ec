import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;
import org.apache.pulsar.client.api.TypedMessageBuilder;

/** The Java client behind the line protocol of interop/README.md. */
public final class Peer {
    private final Gson gson = new GsonBuilder().serializeNulls().create();
    private final Map<String, Consumer<byte[]>> consumers = new HashMap<>();
    private PulsarClient client;

    public static void main(String[] args) throws Exception {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        new Peer().serve(in, out);
        System.exit(0);
    }

    private void serve(BufferedReader in, PrintStream out) throws Exception {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject request = gson.fromJson(line, JsonObject.class);
            JsonObject answer;
            try {
                answer = answer(request);
            } catch (Exception e) {
                answer = new JsonObject();
                answer.addProperty("error", e.toString());
            }
            answer.add("id", request.get("id"));
            out.println(gson.toJson(answer));
        }
        if (client != null) {
            client.close();
        }
    }

    private JsonObject answer(JsonObject request) throws Exception {
        switch (request.get("op").getAsString()) {
            case "connect":
                client = PulsarClient.builder().serviceUrl(request.get("serviceUrl").getAsString()).build();
                return new JsonObject();
            case "produce":
                return produce(request);
            case "subscribe":
                return subscribe(request);
            case "receive":
                return receive(request);
            case "close":
                consumers.remove(request.get("consumer").getAsString()).close();
                return new JsonObject();
            default:
                throw new IllegalArgumentException("unknown op " + request.get("op"));
        }
    }

    private JsonObject produce(JsonObject request) throws Exception {
        JsonArray ids = new JsonArray();
        try (Producer<byte[]> producer = client.newProducer()
                .topic(request.get("topic").getAsString())
                .enableBatching(request.get("batching").getAsBoolean())
                .batchingMaxBytes(8 * 1024 * 1024)
                .batchingMaxPublishDelay(10, TimeUnit.SECONDS)
                .compressionType(CompressionType.valueOf(request.get("compression").getAsString()))
                .create()) {
            List<CompletableFuture<MessageId>> sent = new ArrayList<>();
            for (JsonElement element : request.getAsJsonArray("messages")) {
                sent.add(toMessage(producer, element.getAsJsonObject()).sendAsync());
            }
            producer.flush();
            for (CompletableFuture<MessageId> id : sent) {
                ids.add(Base64.getEncoder().encodeToString(id.get(30, TimeUnit.SECONDS).toByteArray()));
            }
        }
        JsonObject answer = new JsonObject();
        answer.add("messageIds", ids);
        return answer;
    }

    private static TypedMessageBuilder<byte[]> toMessage(Producer<byte[]> producer, JsonObject message) {
        TypedMessageBuilder<byte[]> builder = producer.newMessage();
        JsonElement payload = message.get("payload");
        builder.value(payload.isJsonNull() ? null : Base64.getDecoder().decode(payload.getAsString()));
        if (message.has("key")) {
            builder.key(message.get("key").getAsString());
        }
        if (message.has("eventTime")) {
            builder.eventTime(message.get("eventTime").getAsLong());
        }
        if (message.has("properties")) {
            message.getAsJsonObject("properties").entrySet().forEach(entry -> builder.property(entry.getKey(), entry.getValue().getAsString()));
        }
        return builder;
    }

    private JsonObject subscribe(JsonObject request) throws Exception {
        consumers.put(request.get("consumer").getAsString(), client.newConsumer()
                .topic(request.get("topic").getAsString())
                .subscriptionName(request.get("subscription").getAsString())
                .subscriptionType(SubscriptionType.valueOf(request.get("type").getAsString()))
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(request.get("receiverQueueSize").getAsInt())
                .subscribe());
        return new JsonObject();
    }

    private JsonObject receive(JsonObject request) throws Exception {
        Consumer<byte[]> consumer = consumers.get(request.get("consumer").getAsString());
        int count = request.get("count").getAsInt();
        JsonArray messages = new JsonArray();
        while (messages.size() < count) {
            Message<byte[]> message = consumer.receive(request.get("timeoutMs").getAsInt(), TimeUnit.MILLISECONDS);
            if (message == null) {
                break;
            }
            messages.add(toJson(message));
            consumer.acknowledge(message);
        }
        JsonObject answer = new JsonObject();
        answer.add("messages", messages);
        return answer;
    }

    private static JsonObject toJson(Message<byte[]> message) {
        JsonObject json = new JsonObject();
        byte[] data = message.getData();
        json.addProperty("payload", data == null ? null : Base64.getEncoder().encodeToString(data));
        if (message.hasKey()) {
            json.addProperty("key", message.getKey());
        }
        JsonObject properties = new JsonObject();
        message.getProperties().forEach(properties::addProperty);
        json.add("properties", properties);
        json.addProperty("eventTime", message.getEventTime());
        json.addProperty("publishTime", message.getPublishTime());
        json.addProperty("producerName", message.getProducerName());
        json.addProperty("messageId", Base64.getEncoder().encodeToString(message.getMessageId().toByteArray()));
        return json;
    }
}
