import {afterAll, beforeAll, describe, expect, it} from '@jest/globals';
import {listAuthors, buildBlockerRequest} from '../../../web/blockers/authors.ts';
import {
  type BlockerPage,
  matchesBlockerFilter,
  predictChangedBlocker,
  putBlocker,
  listMatchingBlockers,
  planBlockerRestoration,
} from '../../../web/blockers/lists.ts';
import {findNextRowIndex} from '../../../web/blockers/next-index.ts';
import {findBlockerRights} from '../../../web/blockers/rights.ts';
import {readBlockersSearch} from '../../../web/blockers/search.ts';
import type {Blocker, Me} from '../../../web/api/schema.ts';
import {countDaysOpen, longDays} from '../../../web/parts/blocker-days.ts';
import {readTeamsFromUrl} from '../../../web/parts/every-team.ts';
import {mayLeadTeam} from '../../../web/parts/rights.ts';
import {texts, loadTexts} from '../../../web/texts/texts.ts';
import {type FakeBrowser, createFakeBrowser} from './browser.ts';

let browser: FakeBrowser;
beforeAll(async () => {
  browser = createFakeBrowser();
  await browser.speak('en-GB');
  await loadTexts('more');
});
afterAll(() => browser.close());

const ada = {type: 'member', id: 'ada', name: 'Ada'} as const;
const grace = {type: 'member', id: 'grace', name: 'Grace'} as const;
const meIn = (role: string, team: string | undefined) =>
  ({
    principal: ada,
    role,
    teams: team === undefined ? [] : [{id: 'team_p', slug: 'platform', role: team}],
  }) as unknown as Me;
const member = meIn('member', 'member');

const blocker = (given: Partial<Blocker> = {}): Blocker =>
  ({
    id: 'blk_1',
    author: grace,
    team: 'platform',
    team_id: 'team_p',
    text: 'The badge has run out',
    state: 'raised',
    created_at: '2030-11-18T09:00:00Z',
    acknowledged_by: null,
    acknowledged_at: null,
    resolved_by: null,
    resolved_at: null,
    ...given,
  }) as Blocker;
const open = {teams: ['platform'], state: 'open'} as const;

describe('lists of blockers', () => {
  it('the address of a list stores team, state and author, and ignores invalid values', () => {
    expect(readBlockersSearch({team: 7, state: 'resolved', author: 'mem_1', blocker: 'blk_1'})).toEqual({
      team: '7',
      state: 'resolved',
      author: 'mem_1',
      blocker: 'blk_1',
    });
    expect(readBlockersSearch({team: '', state: 'open', author: 7, blocker: ''})).toEqual({});
  });

  it('a list shows the viewer’s own teams unless the address names one or all', () => {
    expect(readTeamsFromUrl(undefined, member)).toEqual(['platform']);
    expect(readTeamsFromUrl('quiet', member)).toEqual(['quiet']);
    expect(readTeamsFromUrl('*', member)).toBeUndefined();
  });

  it('a blocker belongs to a list by team, author and state, and acknowledged ones count as open', () => {
    expect(matchesBlockerFilter(blocker(), open)).toBe(true);
    expect(matchesBlockerFilter(blocker({state: 'acknowledged'}), open)).toBe(true);
    expect(matchesBlockerFilter(blocker({state: 'resolved'}), open)).toBe(false);
    expect(matchesBlockerFilter(blocker({team: 'design'}), open)).toBe(false);
    expect(matchesBlockerFilter(blocker(), {...open, author: 'ada'})).toBe(false);
    expect(matchesBlockerFilter(blocker(), {teams: undefined, state: 'acknowledged'})).toBe(false);
  });

  it('a list shows the longest open blockers first, or the latest resolved ones first, each once', () => {
    const page = (...rows: Blocker[]): BlockerPage => ({rows, next: []});
    const at = (id: string, day: number, resolved: number | null = null) =>
      blocker({
        id,
        created_at: `2030-11-${day}T09:00:00Z`,
        ...(resolved !== null && {state: 'resolved', resolved_at: `2030-11-${resolved}T09:00:00Z`}),
      });
    const ids = (rows: readonly Blocker[]) => rows.map(({id}) => id).join('');
    const pages = [page(at('b', 20), at('a', 18)), page(at('c', 21), at('a', 18))];
    expect(ids(listMatchingBlockers(pages, open))).toBe('abc');
    const resolved = {...open, state: 'resolved'} as const;
    expect(ids(listMatchingBlockers([page(at('x', 18, 19), at('y', 17, 21))], resolved))).toBe('yx');
  });

  it('a changed blocker is shown in its place, a new one on the first page, and one of another team not at all', () => {
    const data = {
      pageParams: [],
      pages: [
        {rows: [blocker()], next: []},
        {rows: [blocker({id: 'blk_2'})], next: []},
      ],
    };
    const seen = (one: Blocker) =>
      putBlocker(data, open, one).pages.map(({rows}) => rows.map(({id, text}) => [id, text]));
    const {text} = blocker();
    expect(seen(blocker({id: 'blk_2', text: 'new', state: 'resolved'}))).toEqual([
      [['blk_1', text]],
      [['blk_2', 'new']],
    ]);
    expect(seen(blocker({id: 'blk_3'}))).toEqual([
      [
        ['blk_3', text],
        ['blk_1', text],
      ],
      [['blk_2', text]],
    ]);
    expect(putBlocker(data, open, blocker({id: 'blk_3', team: 'design'}))).toBe(data);
  });

  it('a blocker is red from its third day on, by the midnights of the viewer’s clock', () => {
    const on = (day: number) => Date.parse(`2030-11-${day}T09:00:00Z`);
    const days = [18, 19, 20, 21].map((day) => countDaysOpen(blocker(), on(day)));
    expect(days).toEqual([0, 1, 2, 3]);
    expect(days.map((age) => age >= longDays)).toEqual([false, false, true, true]);
    expect(countDaysOpen(blocker({resolved_at: '2030-11-19T09:00:00Z'}), on(25))).toBe(1);
    expect(countDaysOpen(blocker(), on(17))).toBe(0);
    expect([0, 1, 3].map((age) => texts.blockers.days({days: age}))).toEqual(['today', '1 day', '3 days']);
    expect(texts.blockers.sub({open: 3, old: 1})).toBe('3 open blockers, 1 for three days or more');
  });

  it('the filter by author offers the viewer first, then the authors by name, and a chosen person without blockers', () => {
    const by = (id: string, name: string) => blocker({author: {type: 'member', id, name}});
    const rows = [by('zoe', 'Zoe'), by('ada', 'Ada'), by('bob', 'Bob'), by('zoe', 'Zoe')];
    expect(listAuthors(rows, member, 'bob').map(({id}) => id)).toEqual(['ada', 'bob', 'zoe']);
    expect(listAuthors(rows, member, 'mem_1')).toContainEqual({
      id: 'mem_1',
      label: texts.blockers.chosenPerson,
    });
  });
});

describe('changes of blockers', () => {
  it('every member may acknowledge a blocker; the person handling it may also resolve it; its author, leads and admins may do everything', () => {
    const of = (me: Me, one: Blocker = blocker()) => {
      const {acknowledge, resolve, change} = findBlockerRights(me, one);
      return [acknowledge, resolve, change].map((may) => (may ? 'x' : '-')).join('');
    };
    expect(of(meIn('member', undefined))).toBe('---');
    expect(of(member)).toBe('x--');
    expect(of(member, blocker({state: 'acknowledged', acknowledged_by: ada}))).toBe('xx-');
    expect(of(member, blocker({state: 'acknowledged', acknowledged_by: grace}))).toBe('x--');
    expect(of(member, blocker({state: 'resolved', acknowledged_by: ada}))).toBe('x--');
    expect(of(member, blocker({author: ada}))).toBe('xxx');
    expect(of(meIn('member', 'lead'))).toBe('xxx');
    expect(of(meIn('admin', undefined))).toBe('xxx');
  });

  it('leads raise blockers for others of the team they lead, members for themselves', () => {
    expect(mayLeadTeam(meIn('member', 'lead'), 'platform')).toBe(true);
    expect(mayLeadTeam(meIn('member', 'lead'), 'design')).toBe(false);
    expect(mayLeadTeam(member, 'platform')).toBe(false);
    expect(mayLeadTeam(meIn('owner', undefined), 'design')).toBe(true);
    expect(buildBlockerRequest({text: 'No desk', author: 'grace'}, 'platform')).toEqual({
      team: 'platform',
      text: 'No desk',
      author: 'grace',
    });
    expect(buildBlockerRequest({text: 'No desk', author: ''}, 'platform')).toEqual({
      team: 'platform',
      text: 'No desk',
    });
  });

  it('a change is shown as the service will answer it', () => {
    expect(predictChangedBlocker(blocker(), {state: 'acknowledged'}, member)).toMatchObject({
      state: 'acknowledged',
      acknowledged_by: ada,
      resolved_by: null,
    });
    const resolved = predictChangedBlocker(blocker(), {state: 'resolved'}, member);
    expect(resolved).toMatchObject({state: 'resolved', resolved_by: ada});
    expect(predictChangedBlocker(resolved, {state: 'raised'}, member)).toEqual(blocker());
    expect(predictChangedBlocker(blocker(), {text: 'new'}, member)).toEqual(blocker({text: 'new'}));
  });

  it('undo restores the earlier state, and the viewer handles the blocker again if they did before', () => {
    const acknowledged = blocker({state: 'acknowledged', acknowledged_by: ada});
    const resolved = blocker({state: 'resolved'});
    expect(planBlockerRestoration(blocker(), acknowledged, member)).toEqual(['raised']);
    expect(planBlockerRestoration(resolved, blocker(), member)).toEqual(['resolved']);
    expect(planBlockerRestoration(blocker(), resolved, member)).toEqual(['raised']);
    expect(planBlockerRestoration(acknowledged, resolved, member)).toEqual(['raised', 'acknowledged']);
    expect(planBlockerRestoration({...acknowledged, acknowledged_by: grace}, resolved, member)).toEqual([
      'raised',
    ]);
  });

  it('the keys j and k move down and up, from outside to the first and last blocker, and no further than the ends', () => {
    const from = (at: number) => [findNextRowIndex('j', at, 3), findNextRowIndex('k', at, 3)];
    expect([-1, 0, 1, 2].map(from)).toEqual([
      [0, 2],
      [1, 0],
      [2, 0],
      [2, 1],
    ]);
  });
});
