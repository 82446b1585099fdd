import {describe, expect, test} from '@jest/globals';
import {findOwnServiceError, type OwnAddresses} from '../../src/webhook/own-service.js';

const production: OwnAddresses = {
  publicUrl: 'https://standup.example.com',
  listening: {host: '0.0.0.0', port: 3000},
  addresses: ['127.0.0.1', '10.0.0.7', '2a00:1450::7'],
};
const local: OwnAddresses = {
  publicUrl: 'http://localhost:3000',
  listening: {host: '127.0.0.1', port: 3000},
  addresses: ['127.0.0.1', '10.0.0.7'],
};

describe('the check for webhooks to this service itself', () => {
  test.each<[string, OwnAddresses, string]>([
    ['by its public address', production, 'https://standup.example.com/v1/standups'],
    ['by its public address in another spelling', production, 'https://STANDUP.example.com.:443/'],
    ['by an address of the machine', production, 'https://10.0.0.7:3000/'],
    ['by an IPv6 address of the machine', production, 'https://[2a00:1450:0::7]:3000/'],
    ['by loopback', production, 'http://127.0.0.1:3000/'],
    ['by another address of loopback', production, 'http://127.9.9.9:3000/'],
    ['by IPv6 loopback', production, 'http://[::1]:3000/'],
    ['by mapped loopback', production, 'http://[::ffff:127.0.0.1]:3000/'],
    ['by localhost', production, 'http://localhost:3000/'],
    ['by its public address', local, 'http://localhost:3000/v1/standups'],
    ['by the address that it listens on', local, 'http://127.0.0.1:3000/'],
    ['by the address that it listens on, in hexadecimal', local, 'http://0x7f000001:3000/'],
    ['by a name below localhost', local, 'http://hooks.localhost:3000/'],
  ])('refuses a webhook that leads here %s', (_, own, url) => {
    expect(findOwnServiceError(url, own)).toContain('this service itself');
  });

  test.each<[string, OwnAddresses, string]>([
    ['another service on the same name', production, 'https://standup.example.com:8443/'],
    ['another name', production, 'https://hooks.example.com/'],
    ['another machine on the same port', production, 'https://10.0.0.8:3000/'],
    ['a receiver on this machine', local, 'http://127.0.0.1:9000/'],
    ['an address of loopback on which it does not listen', local, 'http://127.0.0.2:3000/'],
    ['an address of the machine on which it does not listen', local, 'http://10.0.0.7:3000/'],
    ['an address that cannot be read', local, 'no address'],
  ])('accepts a webhook to %s', (_, own, url) => {
    expect(findOwnServiceError(url, own)).toBeUndefined();
  });
});
