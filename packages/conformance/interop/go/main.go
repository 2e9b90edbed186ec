// The Go client behind the line protocol of interop/README.md.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/sirupsen/logrus"
)

type message struct {
	Payload      *string           `json:"payload"`
	Key          *string           `json:"key,omitempty"`
	Properties   map[string]string `json:"properties,omitempty"`
	EventTime    int64             `json:"eventTime,omitempty"`
	PublishTime  int64             `json:"publishTime,omitempty"`
	ProducerName string            `json:"producerName,omitempty"`
	MessageID    string            `json:"messageId,omitempty"`
}

type request struct {
	ID                int64     `json:"id"`
	Op                string    `json:"op"`
	ServiceURL        string    `json:"serviceUrl"`
	Topic             string    `json:"topic"`
	Batching          bool      `json:"batching"`
	Compression       string    `json:"compression"`
	Messages          []message `json:"messages"`
	Consumer          string    `json:"consumer"`
	Subscription      string    `json:"subscription"`
	Type              string    `json:"type"`
	ReceiverQueueSize int       `json:"receiverQueueSize"`
	Count             int       `json:"count"`
	TimeoutMs         int64     `json:"timeoutMs"`
}

type answer struct {
	ID         int64     `json:"id"`
	Error      string    `json:"error,omitempty"`
	MessageIDs []string  `json:"messageIds,omitempty"`
	Messages   []message `json:"messages"`
}

type peer struct {
	client    pulsar.Client
	consumers map[string]pulsar.Consumer
}

func (p *peer) answer(r *request) (*answer, error) {
	switch r.Op {
	case "connect":
		return &answer{}, p.connect(r)
	case "produce":
		return p.produce(r)
	case "subscribe":
		return &answer{}, p.subscribe(r)
	case "receive":
		return p.receive(r)
	case "close":
		p.consumers[r.Consumer].Close()
		delete(p.consumers, r.Consumer)
		return &answer{}, nil
	}
	return nil, fmt.Errorf("unknown op %q", r.Op)
}

func (p *peer) connect(r *request) error {
	quiet := logrus.New()
	quiet.SetOutput(io.Discard)
	client, err := pulsar.NewClient(pulsar.ClientOptions{
		URL:    r.ServiceURL,
		Logger: log.NewLoggerWithLogrus(quiet),
	})
	p.client = client
	return err
}

func main() {
	p := &peer{consumers: map[string]pulsar.Consumer{}}
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		a, err := p.answer(&r)
		if err != nil {
			a = &answer{Error: err.Error()}
		}
		a.ID = r.ID
		if err := out.Encode(a); err != nil {
			break
		}
	}
	if p.client != nil {
		p.client.Close()
	}
}
