import {expect, it} from '@jest/globals';
import {formatServerUrl, readRedisAddress, showHost} from '../../../src/domain/core/redis-address.js';

const plain = {kind: 'single', tls: false, username: '', password: '', name: '', database: 0} as const;

it.each([
  ['redis://localhost', {...plain, hosts: [{host: 'localhost', port: 6379}]}],
  [
    'rediss://u:p%40%2F@h:1/3',
    {...plain, tls: true, username: 'u', password: 'p@/', database: 3, hosts: [{host: 'h', port: 1}]},
  ],
  [
    'redis+cluster://:a:b@[::1]:7001,h',
    {
      ...plain,
      kind: 'cluster',
      password: 'a:b',
      hosts: [
        {host: '::1', port: 7001},
        {host: 'h', port: 6379},
      ],
    },
  ],
  [
    'rediss+sentinel://s1,s2:5/mymaster/4',
    {
      ...plain,
      kind: 'sentinel',
      tls: true,
      name: 'mymaster',
      database: 4,
      hosts: [
        {host: 's1', port: 26_379},
        {host: 's2', port: 5},
      ],
    },
  ],
])('the address %s is read', (text, address) => {
  expect(readRedisAddress(text)).toEqual(address);
});

it('an address of one server of several has the login, TLS and database of all, and shows only its host', () => {
  const address = readRedisAddress('rediss+sentinel://u:p%40@s/m/2');
  if ('problem' in address) throw new Error(address.problem);
  const server = {host: '::1', port: 6380};
  expect(formatServerUrl(address, server)).toBe('rediss://u:p%40@[::1]:6380/2');
  expect(readRedisAddress(formatServerUrl(address, server))).toMatchObject({hosts: [server], password: 'p@'});
  expect(showHost(server)).toBe('[::1]:6380');
});
