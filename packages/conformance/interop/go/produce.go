package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

var compressions = map[string]pulsar.CompressionType{
	"NONE":   pulsar.NoCompression,
	"LZ4":    pulsar.LZ4,
	"ZLIB":   pulsar.ZLib,
	"ZSTD":   pulsar.ZSTD,
	"SNAPPY": pulsar.SNAPPY,
}

func (p *peer) produce(r *request) (*answer, error) {
	producer, err := p.client.CreateProducer(pulsar.ProducerOptions{
		Topic:                   r.Topic,
		DisableBatching:         !r.Batching,
		BatchingMaxPublishDelay: 10 * time.Second,
		BatchingMaxSize:         4 * 1024 * 1024,
		CompressionType:         compressions[r.Compression],
	})
	if err != nil {
		return nil, err
	}
	defer producer.Close()
	ids := make([]string, len(r.Messages))
	failures := make([]error, len(r.Messages))
	var settled sync.WaitGroup
	for index, m := range r.Messages {
		outgoing, err := toMessage(&m)
		if err != nil {
			return nil, err
		}
		settled.Add(1)
		producer.SendAsync(context.Background(), outgoing,
			func(id pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
				defer settled.Done()
				if err != nil {
					failures[index] = err
					return
				}
				ids[index] = base64.StdEncoding.EncodeToString(id.Serialize())
			})
	}
	if err := producer.FlushWithCtx(context.Background()); err != nil {
		return nil, err
	}
	settled.Wait()
	for _, failure := range failures {
		if failure != nil {
			return nil, fmt.Errorf("send failed: %w", failure)
		}
	}
	return &answer{MessageIDs: ids}, nil
}

func toMessage(m *message) (*pulsar.ProducerMessage, error) {
	outgoing := &pulsar.ProducerMessage{Properties: m.Properties}
	if m.Payload == nil {
		return nil, fmt.Errorf("this client has no null value")
	}
	payload, err := base64.StdEncoding.DecodeString(*m.Payload)
	if err != nil {
		return nil, err
	}
	outgoing.Payload = payload
	if m.Key != nil {
		outgoing.Key = *m.Key
	}
	if m.EventTime != 0 {
		outgoing.EventTime = time.UnixMilli(m.EventTime)
	}
	return outgoing, nil
}
