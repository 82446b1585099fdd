import {expect, it} from '@jest/globals';
import {createEventExample} from '../../../src/api/events/examples.js';
import {createChange, findReadingScope} from '../../../src/domain/events/change.js';
import {type EventType, eventTypes, type LogEntry} from '../../../src/domain/events/event.js';
import {asId, asSuffix} from '../../support/ids.js';

interface ExampleResource {
  readonly id: string;
  readonly object: string;
  readonly team_id?: string | null;
  readonly date?: string;
  readonly author?: {readonly id: string};
  readonly member?: {readonly id: string};
  readonly holder?: {readonly id: string};
}

const exampleOf = (type: EventType) => createEventExample(type) as {readonly data: ExampleResource};

const entryOf = (type: EventType): LogEntry => ({
  id: asId('evt_01m83t4cm07n5a9d8k0000002a'),
  sequence: 74,
  type,
  about: asSuffix('n5a9d8k0000002a0'),
  revision: 1,
  at: 0,
});

it.each(eventTypes)(
  'the notice of a change for %s names its resource, team, date and member, and nothing else',
  (type) => {
    const event = exampleOf(type);
    const {data} = event;
    const member = (data.author ?? data.member ?? data.holder ?? data).id;
    expect(createChange(entryOf(type), JSON.stringify(event))).toEqual({
      sequence: 74,
      type,
      object: data.object,
      id: data.id,
      team_id: data.object === 'team' ? data.id : (data.team_id ?? null),
      date: data.date ?? null,
      member_id: member.startsWith('mem_') ? member : null,
    });
  },
);

it.each(eventTypes)(
  'the notice of a change for %s of an erased resource has no id, date or member',
  (type) => {
    const change = createChange({...entryOf(type), team: asId('team_1')}, '{"data":null}');
    expect(change).toMatchObject({type, id: null, team_id: 'team_1', date: null, member_id: null});
    expect(change.object).toBe(exampleOf(type).data.object);
  },
);

it('the change of a resource that members cannot read is shown only with the scope workspace:manage', () => {
  const ofMembers = eventTypes.filter((type) => findReadingScope(type).endsWith(':read'));
  expect([...new Set(ofMembers.map((type) => type.split('.')[0]))].toSorted()).toEqual(
    [
      'absence',
      'blocker',
      'comment',
      'holiday_calendar',
      'invite',
      'member',
      'reaction',
      'run',
      'standup',
      'team',
    ].toSorted(),
  );
  expect(findReadingScope('slack.post_failed')).toBe('workspace:manage');
});
