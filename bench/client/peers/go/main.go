// One measurement of the Go client: reads a job as JSON from its argument and prints the outcome as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	plog "github.com/apache/pulsar-client-go/pulsar/log"
)

type job struct {
	Kind           string  `json:"kind"`
	ServiceURL     string  `json:"serviceUrl"`
	Topic          string  `json:"topic"`
	Subscription   string  `json:"subscription"`
	SizeBytes      int     `json:"sizeBytes"`
	Batched        bool    `json:"batched"`
	OpenSends      int     `json:"openSends"`
	WarmUpMessages int     `json:"warmUpMessages"`
	WarmUpSeconds  float64 `json:"warmUpSeconds"`
	Messages       int     `json:"messages"`
	Seconds        float64 `json:"seconds"`
}

type outcome struct {
	Messages   int     `json:"messages"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpuSeconds"`
	P50Ms      float64 `json:"p50Ms"`
	P99Ms      float64 `json:"p99Ms"`
	PeakRSSMb  float64 `json:"peakRssMb"`
}

func main() {
	var j job
	check(json.Unmarshal([]byte(os.Args[1]), &j))
	quiet := plog.NewLoggerWithSlog(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: j.ServiceURL, Logger: quiet})
	check(err)
	var result outcome
	if j.Kind == "produce" {
		result = produce(client, j)
	} else {
		result = consume(client, j)
	}
	result.PeakRSSMb = peakRSS()
	line, err := json.Marshal(result)
	check(err)
	fmt.Println(string(line))
	os.Exit(0)
}

func produce(client pulsar.Client, j job) outcome {
	producer, err := client.CreateProducer(pulsar.ProducerOptions{
		Topic:                   j.Topic,
		DisableBatching:         !j.Batched,
		BatchingMaxMessages:     1000,
		BatchingMaxSize:         131072,
		BatchingMaxPublishDelay: time.Millisecond,
		MaxPendingMessages:      j.OpenSends,
	})
	check(err)
	payload := make([]byte, j.SizeBytes)
	for i := range payload {
		payload[i] = byte(i * 31)
	}
	room := make(chan struct{}, j.OpenSends)
	run := func(count int, limit float64, latencies *[]float64) int {
		var lock sync.Mutex
		var pending sync.WaitGroup
		end := time.Now().Add(time.Duration(limit * float64(time.Second)))
		sent := 0
		for ; (count == 0 || sent < count) && (limit == 0 || sent%64 != 0 || time.Now().Before(end)); sent++ {
			room <- struct{}{}
			pending.Add(1)
			started := time.Now()
			producer.SendAsync(context.Background(), &pulsar.ProducerMessage{Payload: payload},
				func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
					check(err)
					<-room
					if latencies != nil {
						took := float64(time.Since(started).Nanoseconds()) / 1e6
						lock.Lock()
						*latencies = append(*latencies, took)
						lock.Unlock()
					}
					pending.Done()
				})
		}
		check(producer.FlushWithCtx(context.Background()))
		pending.Wait()
		return sent
	}
	run(j.WarmUpMessages, j.WarmUpSeconds, nil)
	latencies := make([]float64, 0, 1<<20)
	started, cpu := time.Now(), cpuSeconds()
	sent := run(j.Messages, j.Seconds, &latencies)
	result := outcome{Messages: sent, Seconds: time.Since(started).Seconds(), CPUSeconds: cpuSeconds() - cpu}
	sort.Float64s(latencies)
	result.P50Ms, result.P99Ms = latencies[len(latencies)/2], latencies[len(latencies)*99/100]
	return result
}

func consume(client pulsar.Client, j job) outcome {
	consumer, err := client.Subscribe(pulsar.ConsumerOptions{
		Topic:                          j.Topic,
		SubscriptionName:               j.Subscription,
		Type:                           pulsar.Exclusive,
		SubscriptionInitialPosition:    pulsar.SubscriptionPositionEarliest,
		ReceiverQueueSize:              1000,
		EnableBatchIndexAcknowledgment: true,
	})
	check(err)
	receive := func(count int, limit float64) int {
		end := time.Now().Add(time.Duration(limit * float64(time.Second)))
		seen := 0
		for seen < count && (limit == 0 || seen%64 != 0 || time.Now().Before(end)) {
			message, err := consumer.Receive(context.Background())
			check(err)
			check(consumer.Ack(message))
			seen++
		}
		return seen
	}
	receive(j.WarmUpMessages, 0)
	started, cpu := time.Now(), cpuSeconds()
	seen := receive(j.Messages, j.Seconds)
	return outcome{Messages: seen, Seconds: time.Since(started).Seconds(), CPUSeconds: cpuSeconds() - cpu}
}

func cpuSeconds() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func peakRSS() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			kib, _ := strconv.ParseFloat(fields[1], 64)
			return kib / 1024
		}
	}
	return 0
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
