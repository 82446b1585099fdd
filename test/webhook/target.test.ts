import {describe, expect, test} from '@jest/globals';
import {createAddressPolicy} from '../../src/webhook/address.js';
import {checkTarget, maxUrlLength, parseTarget} from '../../src/webhook/target.js';

const strict = createAddressPolicy({allowNetworks: []});
const loopback = createAddressPolicy({allowNetworks: ['127.0.0.0/8', '::1/128']});

describe('the check of a webhook’s URL', () => {
  test('regression: accepts a URL with a letter outside ASCII, however many URLs were checked before', () => {
    const refused = Array.from({length: 20_000}, () => checkTarget('https://bücher.example/', strict)).find(
      (reason) => reason !== undefined,
    );
    expect(refused).toBeUndefined();
  });

  test.each([
    'https://example.com',
    'https://example.com/hooks?team=platform',
    'https://example.com:8443/',
    'https://example.com:80/',
    'https://93.184.216.34/',
    'https://[2606:4700:4700::1111]/',
    'https://does-not-resolve.invalid/',
    'https://bücher.example/',
    'https://local.example/',
    'https://internal.example.com./',
  ])('accepts %s', (url) => {
    expect(checkTarget(url, strict)).toBeUndefined();
  });

  test.each([
    ['https://127.0.0.1/', 'public address'],
    ['https://127.1/', 'public address'],
    ['https://2130706433/', 'public address'],
    ['https://0x7f.0.0.1/', 'public address'],
    ['https://0x7f000001/', 'public address'],
    ['https://0177.0.0.1/', 'public address'],
    ['https://017700000001/', 'public address'],
    ['https://127.0.0.1./', 'public address'],
    ['https://%31%32%37.0.0.1/', 'public address'],
    ['https://１２７.0.0.1/', 'public address'],
    ['https://127。0。0。1/', 'public address'],
    ['https://0/', 'public address'],
    ['https://169.254.169.254/latest/meta-data/', 'public address'],
    ['https://168.63.129.16/', 'public address'],
    ['https://[::1]/', 'public address'],
    ['https://[::]/', 'public address'],
    ['https://[::127.0.0.1]/', 'public address'],
    ['https://[::ffff:127.0.0.1]/', 'public address'],
    ['https://[::ffff:7f00:1]/', 'public address'],
    ['https://[64:ff9b::169.254.169.254]/', 'public address'],
    ['https://[2002:7f00:1::]/', 'public address'],
    ['https://[fd00:ec2::254]/', 'public address'],
    ['https://localhost/', 'public address'],
    ['https://LOCALHOST./', 'public address'],
    ['https://hooks.localhost/', 'public address'],
    ['https://localhost../', 'empty parts'],
    ['https://foo.internal../', 'empty parts'],
    ['https://hooks..example.com/', 'empty parts'],
    ['https://.example.com/', 'empty parts'],
    ['https://intranet/', 'public internet'],
    ['https://Intranet./', 'public internet'],
    ['https://printer.local/', 'public internet'],
    ['https://metadata.google.internal/', 'public internet'],
    ['https://metadata.google.internal./', 'public internet'],
    ['https://router.home.arpa/', 'public internet'],
    ['https://api.default.svc/', 'public internet'],
    ['https://kubernetes.default.svc.cluster.local/', 'public internet'],
    ['https://wiki.corp/', 'public internet'],
    ['https://[fe80::1%25eth0]/', 'cannot be read'],
    ['https://256.1.1.1/', 'cannot be read'],
    ['https://', 'cannot be read'],
    ['/hooks', 'cannot be read'],
    ['', 'cannot be read'],
    ['http://example.com/', 'https://'],
    ['http://93.184.216.34/', 'https://'],
    ['ftp://example.com/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['https://user@example.com/', 'user name'],
    ['https://:secret@example.com/', 'user name'],
    ['https://example.com@127.0.0.1/', 'user name'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:1023/', 'port'],
    ['https://exam\tple.com/', 'control characters'],
    ['https://example.com/a\r\nx: y', 'control characters'],
    [' https://example.com/', 'spaces'],
    ['https:\\\\example.com/', 'backslashes'],
    [`https://example.com/${'a'.repeat(maxUrlLength)}`, '2048'],
  ])('refuses %j for its %s', (url, reason) => {
    expect(checkTarget(url, strict)).toContain(reason);
  });

  test('allows plain http only for opened networks', () => {
    expect(checkTarget('http://127.0.0.1:9000/', loopback)).toBeUndefined();
    expect(checkTarget('http://[::1]:9000/', loopback)).toBeUndefined();
    expect(checkTarget('http://localhost:9000/', loopback)).toBeUndefined();
    expect(checkTarget('http://93.184.216.34/', loopback)).toContain('https://');
    expect(checkTarget('https://10.0.0.1/', loopback)).toContain('public address');
  });

  test('allows names of a private network only if one was opened', () => {
    expect(checkTarget('https://wiki.corp/', loopback)).toBeUndefined();
    expect(checkTarget('http://receiver:9000/', loopback)).toBeUndefined();
  });

  test('returns the normalized origin and the path', () => {
    expect(parseTarget('https://Example.com:443/a%20b/../c?x=1', strict)).toEqual({
      origin: 'https://example.com',
      path: '/c?x=1',
    });
    expect(parseTarget('http://0x7f.1:9000', loopback)).toEqual({origin: 'http://127.0.0.1:9000', path: '/'});
  });
});
