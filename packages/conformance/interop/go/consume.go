package main

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

var types = map[string]pulsar.SubscriptionType{
	"Exclusive":  pulsar.Exclusive,
	"Shared":     pulsar.Shared,
	"Failover":   pulsar.Failover,
	"Key_Shared": pulsar.KeyShared,
}

func (p *peer) subscribe(r *request) error {
	consumer, err := p.client.Subscribe(pulsar.ConsumerOptions{
		Topic:                       r.Topic,
		SubscriptionName:            r.Subscription,
		Type:                        types[r.Type],
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
		ReceiverQueueSize:           r.ReceiverQueueSize,
	})
	if err == nil {
		p.consumers[r.Consumer] = consumer
	}
	return err
}

func (p *peer) receive(r *request) (*answer, error) {
	consumer := p.consumers[r.Consumer]
	messages := []message{}
	for len(messages) < r.Count {
		wait, cancel := context.WithTimeout(context.Background(), time.Duration(r.TimeoutMs)*time.Millisecond)
		received, err := consumer.Receive(wait)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			break
		}
		if err != nil {
			return nil, err
		}
		messages = append(messages, fromMessage(received))
		if err := consumer.Ack(received); err != nil {
			return nil, err
		}
	}
	return &answer{Messages: messages}, nil
}

func fromMessage(m pulsar.Message) message {
	payload := base64.StdEncoding.EncodeToString(m.Payload())
	result := message{
		Payload:      &payload,
		Properties:   m.Properties(),
		PublishTime:  m.PublishTime().UnixMilli(),
		ProducerName: m.ProducerName(),
		MessageID:    base64.StdEncoding.EncodeToString(m.ID().Serialize()),
	}
	if !m.EventTime().IsZero() && m.EventTime().UnixMilli() > 0 {
		result.EventTime = m.EventTime().UnixMilli()
	}
	if key := m.Key(); key != "" {
		result.Key = &key
	}
	return result
}
