import {expect, it} from '@jest/globals';
import {parseAddresses} from '../../../web/parts/invites/addresses.ts';

it.each<[string, string, readonly string[]]>([
  [
    'commas',
    'a@example.com, b@example.com,c@example.com',
    ['a@example.com', 'b@example.com', 'c@example.com'],
  ],
  ['lines of a spreadsheet', 'a@example.com\r\nb@example.com\n\n', ['a@example.com', 'b@example.com']],
  [
    'semicolons of a mail program',
    'Ada <a@example.com>; "Hopper, Grace" <g@example.com>',
    ['a@example.com', '"Hopper', 'g@example.com'],
  ],
  ['spaces', ' a@example.com   b@example.com ', ['a@example.com', 'b@example.com']],
  ['the same address twice', 'a@example.com,a@example.com', ['a@example.com']],
  ['nothing', ' ,\n; ', []],
  ['a text without an address, which the service refuses', 'grace', ['grace']],
])('pasted addresses are found between %s', (_, text, found) => {
  expect(parseAddresses(text)).toEqual(found);
});
