import com.google.gson.Gson;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.SubscriptionInitialPosition;
import org.apache.pulsar.client.api.SubscriptionType;

/** One measurement of the Java client: reads a job as JSON from its argument and prints the outcome as JSON. */
public final class Bench {
    static final class Job {
        String kind;
        String serviceUrl;
        String topic;
        String subscription;
        int sizeBytes;
        boolean batched;
        int openSends;
        int warmUpMessages;
        double warmUpSeconds;
        int messages;
        double seconds;
    }

    public static void main(String[] args) throws Exception {
        Gson gson = new Gson();
        Job job = gson.fromJson(args[0], Job.class);
        PulsarClient client = PulsarClient.builder().serviceUrl(job.serviceUrl).build();
        Map<String, Object> outcome = job.kind.equals("produce") ? produce(client, job) : consume(client, job);
        outcome.put("peakRssMb", peakRss());
        System.out.println(gson.toJson(outcome));
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    static Map<String, Object> produce(PulsarClient client, Job job) throws Exception {
        Producer<byte[]> producer = client.newProducer()
                .topic(job.topic)
                .enableBatching(job.batched)
                .batchingMaxMessages(1000)
                .batchingMaxBytes(131072)
                .batchingMaxPublishDelay(1, TimeUnit.MILLISECONDS)
                .maxPendingMessages(job.openSends)
                .blockIfQueueFull(true)
                .create();
        byte[] payload = new byte[job.sizeBytes];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) (i * 31);
        }
        run(producer, payload, job, job.warmUpMessages, job.warmUpSeconds, null);
        double[] latencies = new double[20_000_000];
        long started = System.nanoTime();
        double cpu = cpuSeconds();
        int sent = run(producer, payload, job, job.messages, job.seconds, latencies);
        Map<String, Object> outcome = outcome(sent, started, cpu);
        Arrays.sort(latencies, 0, sent);
        outcome.put("p50Ms", latencies[sent / 2]);
        outcome.put("p99Ms", latencies[(int) (sent * 99L / 100)]);
        return outcome;
    }

    static int run(Producer<byte[]> producer, byte[] payload, Job job, int count, double limit, double[] latencies)
            throws Exception {
        Semaphore room = new Semaphore(job.openSends);
        AtomicInteger settled = new AtomicInteger();
        long end = System.nanoTime() + (long) (limit * 1e9);
        int sent = 0;
        while ((count == 0 || sent < count) && (limit == 0 || sent % 64 != 0 || System.nanoTime() < end)) {
            room.acquire();
            long at = System.nanoTime();
            producer.sendAsync(payload).whenComplete((id, error) -> {
                if (error != null) {
                    error.printStackTrace();
                    Runtime.getRuntime().halt(1);
                }
                int index = settled.getAndIncrement();
                if (latencies != null && index < latencies.length) {
                    latencies[index] = (System.nanoTime() - at) / 1e6;
                }
                room.release();
            });
            sent++;
        }
        producer.flush();
        room.acquire(job.openSends);
        return sent;
    }

    static Map<String, Object> consume(PulsarClient client, Job job) throws Exception {
        Consumer<byte[]> consumer = client.newConsumer()
                .topic(job.topic)
                .subscriptionName(job.subscription)
                .subscriptionType(SubscriptionType.Exclusive)
                .subscriptionInitialPosition(SubscriptionInitialPosition.Earliest)
                .receiverQueueSize(1000)
                .enableBatchIndexAcknowledgment(true)
                .subscribe();
        receive(consumer, job.warmUpMessages, 0);
        long started = System.nanoTime();
        double cpu = cpuSeconds();
        int seen = receive(consumer, job.messages, job.seconds);
        Map<String, Object> outcome = outcome(seen, started, cpu);
        outcome.put("p50Ms", 0);
        outcome.put("p99Ms", 0);
        return outcome;
    }

    static int receive(Consumer<byte[]> consumer, int count, double limit) throws Exception {
        long end = System.nanoTime() + (long) (limit * 1e9);
        int seen = 0;
        while (seen < count && (limit == 0 || seen % 64 != 0 || System.nanoTime() < end)) {
            consumer.acknowledgeAsync(consumer.receive());
            seen++;
        }
        return seen;
    }

    static Map<String, Object> outcome(int messages, long started, double cpu) {
        Map<String, Object> outcome = new TreeMap<>();
        outcome.put("messages", messages);
        outcome.put("seconds", (System.nanoTime() - started) / 1e9);
        outcome.put("cpuSeconds", cpuSeconds() - cpu);
        return outcome;
    }

    static double cpuSeconds() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime() / 1e9;
    }

    static double peakRss() throws Exception {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return 0;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D+", "")) / 1024)
                .findFirst()
                .orElse(0);
    }
}
