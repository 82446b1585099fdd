import {expect, it} from '@jest/globals';
import {buildMessage} from '../../src/mail/message.js';

const head = {
  from: {name: 'Standup', address: 'standup@example.com'},
  to: 'grace@example.com',
  id: 'eml_01ke6p4ym07fk9s1s2m8xq4vbt',
  date: Date.parse('2026-11-27T09:00:00Z'),
};
const mail = {
  subject: 'Join Example',
  blocks: [],
  text: 'Hello\n',
  html: '<p>Hello</p>',
  headers: {} as Readonly<Record<string, string>>,
};

const build = async (changes: Partial<typeof mail> = {}, given: Partial<typeof head> = {}) =>
  (await buildMessage({...head, ...given}, {...mail, ...changes})).toString();
const headersOf = (message: string) =>
  message
    .slice(0, message.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');

it('a message names its sender, its recipient and its mail, and asks programs not to answer', async () => {
  const message = await build();
  expect(headersOf(message)).toEqual(
    expect.arrayContaining([
      'From: Standup <standup@example.com>',
      'To: grace@example.com',
      'Subject: Join Example',
      'Message-ID: <eml_01ke6p4ym07fk9s1s2m8xq4vbt@example.com>',
      'Date: Fri, 27 Nov 2026 09:00:00 +0000',
      'Auto-Submitted: auto-generated',
    ]),
  );
  expect(message).toMatch(/text\/plain[^]*Hello[^]*text\/html[^]*<p>Hello<\/p>/);
});

it('a message of a mail that people can end has the headers for that', async () => {
  const headers = {'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click'};
  expect(headersOf(await build({headers}))).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
});

it('each attempt to send a mail has the same bytes', async () => {
  expect(await build()).toBe(await build());
});

it('a hostile name or subject adds no header, recipient or file', async () => {
  const names = (message: string) => headersOf(message).map((line) => line.split(':')[0]);
  const usual = names(await build());
  const hostile = '"a, b@x.example" <c@x.example>\r\nBcc: d@x.example\r\n\r\nbody';
  const message = await build({subject: hostile, text: '/etc/hostname', html: 'http://127.0.0.1/'});
  expect(names(message)).toEqual(usual);
  expect(names(await build({}, {from: {...head.from, name: hostile}}))).toEqual(usual);
  expect(message).toContain('/etc/hostname');
});
