import {expect, it} from '@jest/globals';
import {computeMailDelay, computeMailRest} from '../../../src/domain/mail/mail-retry.js';
import {toAsciiAddress} from '../../../src/domain/mail/mail-address.js';

const minuteMs = 60_000;

it('a mail that a server refuses for now is tried after 1, 5, 15 and 30 minutes, then hourly', () => {
  const delays = [0, 1, 2, 3, 4, 40].map((attempts) => computeMailDelay('invite', attempts) / minuteMs);
  expect(delays).toEqual([1, 5, 15, 30, 60, 60]);
});

it('a sign-in code that a server refuses for now is tried again within the time in which it is good', () => {
  const delays = [0, 1, 2, 3, 4].map((attempts) => computeMailDelay('sign_in_code', attempts) / 1_000);
  expect(delays).toEqual([15, 45, 120, 300, 300]);
});

it('while no mail can be sent, all mails rest for 30 seconds, then twice as long each time, up to 15 minutes', () => {
  const rests = [1, 2, 3, 4, 5, 6, 100].map((failures) => computeMailRest(failures) / 1_000);
  expect(rests).toEqual([30, 60, 120, 240, 480, 900, 900]);
});

it.each([
  ['grace@example.com', 'grace@example.com'],
  ['grace@münchen.example', 'grace@xn--mnchen-3ya.example'],
  ['gräce@example.com', undefined],
  ['a@example.com, b@example.com', undefined],
  ['a@example.com,b@example.com', undefined],
  ['<a@example.com>', undefined],
  ['"a b"@example.com', undefined],
  ['a@example.com\r\nRCPT TO:<b@example.com>', undefined],
  ['a@example.com/b@example.org', undefined],
  ['a@example.com/x.y', undefined],
  ['a@@example.com', undefined],
  ['', undefined],
])('the address %j goes to the server as %j', (given, sent) => {
  expect(toAsciiAddress(given)).toBe(sent);
});
