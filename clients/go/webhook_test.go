package standup

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	signedAt    = time.Unix(1_795_424_400, 0)
	body        = []byte(`{"id":"evt_1","type":"standup.created","sequence":7,"data":{"id":"std_1"}}`)
	secretBytes = []byte(strings.Repeat("s", 32))
	secret      = "whsec_" + base64.StdEncoding.EncodeToString(secretBytes)
	private     = ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", ed25519.SeedSize)))
	publicKey   = "whpk_" + base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))
)

func signed(id string) []byte {
	return fmt.Appendf(nil, "%s.%d.%s", id, signedAt.Unix(), body)
}

func signatureV1() string {
	mac := hmac.New(sha256.New, secretBytes)
	mac.Write(signed("evt_1"))
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func signatureV1a() string {
	return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(private, signed("evt_1")))
}

func headersWith(signatures ...string) http.Header {
	header := http.Header{}
	header.Set("webhook-id", "evt_1")
	header.Set("webhook-timestamp", strconv.FormatInt(signedAt.Unix(), 10))
	header.Set("webhook-signature", strings.Join(signatures, " "))
	return header
}

func TestVerifiesEitherKindOfSignature(t *testing.T) {
	both := []string{signatureV1(), signatureV1a()}
	other := "whsec_" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("o", 32)))
	for name, test := range map[string]struct{ signatures, keys []string }{
		"v1":                     {both[:1], []string{secret}},
		"v1a":                    {both[1:], []string{publicKey}},
		"v1 of both":             {both, []string{secret}},
		"v1a of both":            {both, []string{publicKey}},
		"during a rotation":      {both, []string{other, secret}},
		"both keys, one matches": {both[:1], []string{publicKey, secret}},
	} {
		event, err := verifyWebhook(signedAt.Add(4*time.Minute), body, headersWith(test.signatures...), test.keys)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		expect(t, event.Type, "standup.created")
		expect(t, string(event.Data), `{"id":"std_1"}`)
	}
}

func TestVerifiesTheExampleOfStandardWebhooks(t *testing.T) {
	header := http.Header{}
	header.Set("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
	header.Set("webhook-timestamp", "1614265330")
	header.Set("webhook-signature", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
	keys := []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}
	_, err := verifyWebhook(time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`), header, keys)
	expect(t, err, nil)
}

func TestRefusesWhatIsForgedOrChangedOrOld(t *testing.T) {
	good := []string{signatureV1(), signatureV1a()}
	keys := []string{secret, publicKey}
	change := func(name, value string) http.Header {
		header := headersWith(good...)
		header.Set(name, value)
		return header
	}
	for name, test := range map[string]struct {
		now    time.Time
		body   string
		header http.Header
		keys   []string
	}{
		"a changed body":            {signedAt, string(body) + " ", headersWith(good...), keys},
		"a changed id":              {signedAt, string(body), change("webhook-id", "evt_2"), keys},
		"a changed time":            {signedAt, string(body), change("webhook-timestamp", "1795424401"), keys},
		"no time":                   {signedAt, string(body), change("webhook-timestamp", ""), keys},
		"no id":                     {signedAt, string(body), change("webhook-id", ""), keys},
		"an old one":                {signedAt.Add(301 * time.Second), string(body), headersWith(good...), keys},
		"one of the future":         {signedAt.Add(-301 * time.Second), string(body), headersWith(good...), keys},
		"one of a far future":       {signedAt, string(body), change("webhook-timestamp", "9223372036854775807"), keys},
		"no signature":              {signedAt, string(body), headersWith(), keys},
		"v1 that is called v1a":     {signedAt, string(body), headersWith("v1a" + good[0][2:]), keys},
		"v1a that is called v1":     {signedAt, string(body), headersWith("v1" + good[1][3:]), keys},
		"an unknown version":        {signedAt, string(body), headersWith("v2" + good[0][2:]), keys},
		"an empty signature":        {signedAt, string(body), headersWith("v1,", "v1a,", ",", "v1"), keys},
		"the key of another":        {signedAt, string(body), headersWith(good[1]), []string{secret}},
		"no key":                    {signedAt, string(body), headersWith(good...), nil},
		"a cut signature":           {signedAt, string(body), headersWith(good[0][:20]), keys},
		"a signature with addition": {signedAt, string(body), headersWith(good[0] + "AAAA"), keys},
	} {
		event, err := verifyWebhook(test.now, []byte(test.body), test.header, test.keys)
		if event != nil || !errors.Is(err, ErrUnverified) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAKeyThatIsNoneIsAnErrorOfTheProgram(t *testing.T) {
	for _, key := range []string{"", "whsec_", "whsec_c2hvcnQ=", "whpk_c2hvcnQ=", secret[6:], "whsec_%", "whpk_" + secret} {
		_, err := verifyWebhook(signedAt, body, headersWith(signatureV1()), []string{key})
		if err == nil || errors.Is(err, ErrUnverified) {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func TestABodyThatIsNoEventIsAnError(t *testing.T) {
	header := headersWith()
	mac := hmac.New(sha256.New, secretBytes)
	fmt.Fprintf(mac, "evt_1.%d.no", signedAt.Unix())
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	_, err := verifyWebhook(signedAt, []byte("no"), header, []string{secret})
	if err == nil {
		t.Error("no error")
	}
}
