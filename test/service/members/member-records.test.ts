import {expect, it} from '@jest/globals';
import type {Member} from '../../../src/domain/workspaces/workspace.js';
import {isMemberReferredAs} from '../../../src/service/core/member-references.js';

it('regression: two e-mail addresses that are equal only in Unicode lower case belong to two members', () => {
  const member = {id: 'mem_1', slack_user_id: null, email: 'kim@example.com'} as Member;
  expect(isMemberReferredAs(member, 'Kim@Example.com')).toBe(true);
  expect(isMemberReferredAs(member, '\u212Aim@example.com')).toBe(false);
});
