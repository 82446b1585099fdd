package standup

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// CallOption changes one call.
type CallOption func(*settings)

type settings struct {
	header   http.Header
	nulls    []string
	response **http.Response
}

// WithIdempotencyKey sends a key of your own. Without it, each call that changes something gets a random key,
// which all of its tries have. Use your own to repeat a call after your program was restarted.
func WithIdempotencyKey(key string) CallOption {
	return WithHeader("Idempotency-Key", key)
}

// Revised is an object with a revision, as the API returned it.
type Revised interface {
	revision() int
}

// IfMatch changes or deletes something only if its revision is still that of the object. Otherwise the error
// is a [Problem] with the code precondition_failed.
func IfMatch(object Revised) CallOption {
	return WithHeader("If-Match", strconv.Quote(strconv.Itoa(object.revision())))
}

// WithHeader sets a header of the request.
func WithHeader(name, value string) CallOption {
	return func(s *settings) { s.header.Set(name, value) }
}

// WithNull sends null for members of the body, which clears them. A member that is nil is not sent.
func WithNull(members ...string) CallOption {
	return func(s *settings) { s.nulls = append(s.nulls, members...) }
}

// WithResponseInto keeps the response, for its status and headers. Its body is already read.
func WithResponseInto(response **http.Response) CallOption {
	return func(s *settings) { s.response = response }
}

// ErrNotModified is the error of a call with If-None-Match if nothing has changed.
var ErrNotModified = errors.New("standup: not modified")

// operation is a call of the API: the generated methods have nothing else.
type operation struct {
	method string
	path   string // has %s for each name
	names  []string
	params any // nil, or a pointer to a struct with tags `form`
	body   any // sent as JSON; nothing is sent for nil
}

// message is an operation that is ready to be sent, any number of times.
type message struct {
	method  string
	url     string
	header  http.Header
	body    []byte
	streams bool
	// wait is how long the service waits before it answers, because the caller asked for it.
	wait time.Duration
}

func (c *Client) send(ctx context.Context, o operation, options []CallOption) error {
	_, err := c.do(ctx, o, false, options)
	return err
}

// stream returns the body of a response that may be long or endless. The caller closes it.
func (c *Client) stream(ctx context.Context, o operation, options []CallOption) (io.ReadCloser, error) {
	response, err := c.do(ctx, o, true, options)
	if err != nil {
		return nil, err
	}
	return response.Body, nil
}

func callFor[T any](ctx context.Context, c *Client, o operation, options []CallOption) (*T, error) {
	response, err := c.do(ctx, o, false, options)
	if err != nil {
		return nil, err
	}
	var result T
	if err := json.NewDecoder(response.Body).Decode(&result); err != nil {
		return nil, fmt.Errorf("standup: %s %s: unexpected body: %w", o.method, response.Request.URL.Path, err)
	}
	return &result, nil
}

func (c *Client) do(ctx context.Context, o operation, streams bool, options []CallOption) (*http.Response, error) {
	chosen := settings{header: http.Header{}}
	for _, option := range options {
		option(&chosen)
	}
	prepared, err := c.prepare(o, chosen)
	if err != nil {
		return nil, fmt.Errorf("standup: %s %s: %w", o.method, o.path, err)
	}
	prepared.streams = streams
	response, err := c.sendUntilAnswered(ctx, prepared)
	if chosen.response != nil {
		*chosen.response = response
	}
	if err != nil {
		return nil, err
	}
	return response, findProblem(response)
}

func (c *Client) prepare(o operation, chosen settings) (message, error) {
	escaped := make([]any, len(o.names))
	for at, name := range o.names {
		// Such a name would lead to the path of another operation.
		if name == "" || name == "." || name == ".." {
			return message{}, fmt.Errorf("%q is not the name or id of anything", name)
		}
		escaped[at] = url.PathEscape(name)
	}
	query, err := encodeQuery(o.params)
	if err != nil {
		return message{}, err
	}
	body, err := encodeBody(o.body, chosen.nulls)
	if err != nil {
		return message{}, err
	}
	header := http.Header{"Authorization": {"Bearer " + c.token}, "User-Agent": {userAgent}}
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	if o.method != http.MethodGet {
		header.Set("Idempotency-Key", rand.Text())
	}
	for name, values := range chosen.header {
		header[name] = values
	}
	for name, values := range header {
		// The HTTP client would refuse it again at each try.
		if strings.ContainsFunc(values[0], unicode.IsControl) {
			return message{}, fmt.Errorf("the header %s has a line break or another control character", name)
		}
	}
	seconds, _ := strconv.Atoi(query.Get("wait"))
	address := c.address + fmt.Sprintf(o.path, escaped...)
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return message{
		method: o.method,
		url:    address,
		header: header,
		body:   body,
		wait:   time.Duration(seconds) * time.Second,
	}, nil
}

// encodeQuery reads the tags `form` of the generated parameters. Several values are joined by commas.
func encodeQuery(params any) (url.Values, error) {
	query := url.Values{}
	given := reflect.ValueOf(params)
	if !given.IsValid() || given.IsNil() {
		return query, nil
	}
	given = given.Elem()
	for at := range given.NumField() {
		value := given.Field(at)
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		name, _, _ := strings.Cut(given.Type().Field(at).Tag.Get("form"), ",")
		text, err := encodeValue(value)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		query.Set(name, text)
	}
	return query, nil
}

func encodeValue(value reflect.Value) (string, error) {
	if moment, ok := value.Interface().(time.Time); ok {
		return moment.UTC().Format(time.RFC3339Nano), nil
	}
	switch value.Kind() {
	case reflect.String:
		return value.String(), nil
	case reflect.Int:
		return strconv.FormatInt(value.Int(), 10), nil
	case reflect.Bool:
		return strconv.FormatBool(value.Bool()), nil
	case reflect.Slice:
		texts := make([]string, value.Len())
		for at := range texts {
			text, err := encodeValue(value.Index(at))
			if err != nil {
				return "", err
			}
			texts[at] = text
		}
		return strings.Join(texts, ","), nil
	default:
		return "", fmt.Errorf("%s cannot be sent in a query", value.Type())
	}
}

func encodeBody(body any, nulls []string) ([]byte, error) {
	encoded, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	if len(nulls) == 0 {
		if string(encoded) == "null" {
			return nil, nil
		}
		return encoded, nil
	}
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(encoded, &members); err != nil {
		return nil, err
	}
	if members == nil {
		members = map[string]json.RawMessage{}
	}
	for _, name := range nulls {
		members[name] = json.RawMessage("null")
	}
	return json.Marshal(members)
}

// try sends a message once. The body of its response is read here, unless it is streamed: a connection that
// breaks in it is a try without an answer.
func (c *Client) try(ctx context.Context, m message, limit time.Duration) (*http.Response, error) {
	tryCtx, cancel := context.WithCancel(ctx)
	timer := time.AfterFunc(limit, cancel)
	fail := func(err error) (*http.Response, error) {
		if !timer.Stop() && ctx.Err() == nil {
			err = fmt.Errorf("standup: %s %s: no answer within %s", m.method, m.url, limit.Round(time.Millisecond))
		}
		cancel()
		return nil, err
	}
	request, err := http.NewRequestWithContext(tryCtx, m.method, m.url, bytes.NewReader(m.body))
	if err != nil {
		return fail(err)
	}
	request.Header = m.header.Clone()
	response, err := c.http.Do(request)
	if err != nil {
		return fail(err)
	}
	if m.streams && response.StatusCode < 300 {
		timer.Stop()
		response.Body = &streamedBody{ReadCloser: response.Body, cancel: cancel}
		return response, nil
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return fail(err)
	}
	timer.Stop()
	cancel()
	response.Body = io.NopCloser(bytes.NewReader(body))
	return response, nil
}

type streamedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *streamedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}
