import {expect, it} from '@jest/globals';
import {parseAddresses} from '../../../web/parts/invites/addresses.ts';
import {mayInvite} from '../../../web/parts/rights.ts';

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

it.each<[string, boolean, Parameters<typeof mayInvite>[0]['role'], boolean[]]>([
  ['an owner', false, 'owner', [true, true, true]],
  ['a lead', true, 'member', [true, true, false]],
  ['a lead in a workspace where leads do not invite', false, 'member', [false, false, false]],
])('%s is offered invites where the API allows them', (_, leads_invite, role, offered) => {
  const team = {id: 'team_1', slug: 'platform', name: 'Platform', role: 'lead', visibility: 'open' as const};
  const other = {id: 'team_2', slug: 'science', name: 'Science', role: 'member', visibility: 'open' as const};
  const me = {role, teams: [team, other], workspace: {id: 'ws_1', slug: 'acme', name: 'Acme', leads_invite}};
  expect([mayInvite(me), mayInvite(me, 'platform'), mayInvite(me, 'science')]).toEqual(offered);
});
