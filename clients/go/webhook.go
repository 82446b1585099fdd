package standup

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// webhookTolerance is how old a request may be, so that a recorded one cannot be sent again later.
const webhookTolerance = 5 * time.Minute

// ErrUnverified is the error of a request that does not come from the service, was changed, or is too old.
// Answer it with 400.
var ErrUnverified = errors.New("standup: the webhook is not verified")

// VerifyWebhook returns the event of a webhook request. It needs the body as it was received, byte for byte.
// Keys are secrets (whsec_…) for signatures v1 and public keys (whpk_…) for v1a. One match is enough, so that
// the old and the new key can be given during a rotation.
func VerifyWebhook(body []byte, header http.Header, keys ...string) (*Event, error) {
	return verifyWebhook(time.Now(), body, header, keys)
}

func verifyWebhook(now time.Time, body []byte, header http.Header, keys []string) (*Event, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || id == "" {
		return nil, fmt.Errorf("%w: a header is missing or wrong", ErrUnverified)
	}
	if now.Sub(time.Unix(seconds, 0)).Abs() > webhookTolerance {
		return nil, fmt.Errorf("%w: it was not signed within the last 5 minutes", ErrUnverified)
	}
	signed := fmt.Appendf(nil, "%s.%s.%s", id, timestamp, body)
	matches := false
	for _, key := range keys {
		check, err := parseKey(key)
		if err != nil {
			return nil, err
		}
		for _, one := range strings.Fields(header.Get("Webhook-Signature")) {
			version, encoded, _ := strings.Cut(one, ",")
			signature, err := base64.StdEncoding.DecodeString(encoded)
			matches = (err == nil && check(version, signed, signature)) || matches
		}
	}
	if !matches {
		return nil, fmt.Errorf("%w: no signature matches", ErrUnverified)
	}
	event := &Event{}
	if err := json.Unmarshal(body, event); err != nil {
		return nil, fmt.Errorf("standup: the webhook is verified, but its body is no event: %w", err)
	}
	return event, nil
}

type checkSignature func(version string, signed, signature []byte) bool

// parseKey refuses short keys. With an empty secret, anyone could sign.
func parseKey(key string) (checkSignature, error) {
	prefix, encoded, _ := strings.Cut(key, "_")
	bytes, err := base64.StdEncoding.DecodeString(encoded)
	switch {
	case err == nil && prefix == "whsec" && len(bytes) >= 24:
		return func(version string, signed, signature []byte) bool {
			mac := hmac.New(sha256.New, bytes)
			mac.Write(signed)
			return version == "v1" && hmac.Equal(mac.Sum(nil), signature)
		}, nil
	case err == nil && prefix == "whpk" && len(bytes) == ed25519.PublicKeySize:
		return func(version string, signed, signature []byte) bool {
			return version == "v1a" && ed25519.Verify(bytes, signed, signature)
		}, nil
	default:
		return nil, errors.New("standup: a key of a webhook begins with whsec_ or whpk_, and must be complete")
	}
}
