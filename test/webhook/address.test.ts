import {describe, expect, test} from '@jest/globals';
import {createAddressPolicy} from '../../src/webhook/address.js';

describe('the address policy of webhooks', () => {
  const strict = createAddressPolicy({allowNetworks: []});

  test.each([
    '1.1.1.1',
    '93.184.216.34',
    '100.63.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
    '::ffff:1.1.1.1',
  ])('treats %s as public', (address) => {
    expect(strict.allows(address)).toBe(true);
    expect(strict.opens(address)).toBe(false);
  });

  test.each([
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback, far end', '127.255.255.254'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local', '169.254.1.1'],
    ['metadata', '169.254.169.254'],
    ['metadata (containers)', '169.254.170.2'],
    ['metadata (Azure, public range)', '168.63.129.16'],
    ['metadata (Alibaba)', '100.100.100.200'],
    ['metadata (Oracle)', '192.0.0.192'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['short form', '127.1'],
    ['decimal form', '2130706433'],
    ['octal form', '0177.0.0.1'],
    ['hexadecimal form', '0x7f000001'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['unique local', 'fd12:3456::1'],
    ['metadata (AWS)', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['compatible loopback', '::127.0.0.1'],
    ['translated (RFC 6145)', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::127.0.0.1'],
    ['NAT64, local use', '64:ff9b:1::10.0.0.1'],
    ['6to4 of 127.0.0.1', '2002:7f00:1::1'],
    ['6to4 of 10.0.0.1', '2002:a00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['ISATAP of 10.0.0.1', '2a00:1450::5efe:10.0.0.1'],
    ['ISATAP of 10.0.0.1, global bit', '2a00:1450::200:5efe:10.0.0.1'],
    ['discard', '100::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unassigned', '4000::1'],
    ['no address', 'example.com'],
    ['nothing', ''],
  ])('refuses %s: %s', (_, address) => {
    expect(strict.allows(address)).toBe(false);
  });

  test('allows an opened network, also in mapped notation, and no other private address', () => {
    const policy = createAddressPolicy({allowNetworks: ['127.0.0.0/8', '10.1.2.3', 'fd00::/8']});
    for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', 'fd12::1']) {
      expect([address, policy.allows(address), policy.opens(address)]).toEqual([address, true, true]);
    }
    for (const address of ['10.1.2.4', '::1', 'fe80::1']) expect(policy.allows(address)).toBe(false);
    expect([policy.opensAny, strict.opensAny]).toEqual([true, false]);
  });

  test.each([
    ['most clouds', '169.254.169.254'],
    ['most clouds, mapped', '::ffff:169.254.169.254'],
    ['most clouds, link-local', 'fe80::a9fe:a9fe'],
    ['AWS', 'fd00:ec2::254'],
    ['AWS, containers', '169.254.170.2'],
    ['AWS, Kubernetes', '169.254.170.23'],
    ['AWS, Kubernetes', 'fd00:ec2::23'],
    ['Google Cloud', 'fd20:ce::254'],
    ['Azure', '168.63.129.16'],
    ['Alibaba Cloud', '100.100.100.200'],
    ['Oracle Cloud', '192.0.0.192'],
    ['Tencent Cloud', '169.254.0.23'],
    ['a cloud behind NAT64', '64:ff9b::a9fe:a9fe'],
    ['a cloud behind a NAT64 of its own', '64:ff9b:1::169.254.169.254'],
    ['a cloud behind NAT64, in its public range', '64:ff9b::168.63.129.16'],
    ['a cloud by 6to4', '2002:a9fe:a9fe::1'],
    ['a cloud in a compatible address', '::169.254.169.254'],
    ['a cloud in a translated address', '::ffff:0:169.254.169.254'],
    ['a cloud by ISATAP', 'fe80::200:5efe:a9fe:a9fe'],
  ])('regression: refuses the metadata service of %s (%s), even inside an opened network', (_, address) => {
    const policy = createAddressPolicy({allowNetworks: ['0.0.0.0/0', '::/0']});
    expect(policy.allows('10.0.0.1')).toBe(true);
    expect([policy.allows(address), policy.opens(address)]).toEqual([false, false]);
  });

  test("refuses the machine's own public address if configured to", () => {
    const policy = createAddressPolicy({allowNetworks: [], denyNetworks: ['93.184.216.34']});
    expect(policy.allows('93.184.216.34')).toBe(false);
    expect(policy.allows('93.184.216.35')).toBe(true);
  });

  test('reports an invalid network by name', () => {
    expect(() => createAddressPolicy({allowNetworks: ['10.0.0.0/8', 'intranet']})).toThrow('"intranet"');
  });
});
