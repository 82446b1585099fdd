import {lazy, Suspense} from 'react';
import type {Team} from '../api/schema.ts';
import {CheckBox} from '../parts/check-box.tsx';
import {bindFields} from '../parts/form.tsx';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {hasSlack} from '../parts/has-slack.ts';
import {texts} from '../texts/texts.ts';
import {type Fact, SectionForm} from './section.tsx';
import {createFieldSection, useSection} from './use-section.ts';

const MissingReplyScopes = lazy(async () => ({
  default: (await import('./missing-reply-scopes.tsx')).MissingReplyScopes,
}));

const postModes = ['thread', 'channel', 'digest'] as const;
const digests = ['thread', 'channel', 'off'] as const;
const replyKinds = ['both', 'out', 'off'] as const;
const leadSummaries = ['when_needed', 'always', 'never'] as const;
const mentionKinds = ['none', 'team', 'workspace'] as const;

const posts = createFieldSection('slack-posts', [
  'slack_channel_id',
  'slack_post_mode',
  'slack_digest',
  'slack_replies',
  'lead_summary',
  'names_missing',
  'absence_reasons',
  'slack_weekly_summary',
  'slack_mentions',
]);

function createSlackSection(maySetChannel: boolean): typeof posts {
  return {
    ...posts,
    write: ({slack_channel_id: channel, ...draft}) => ({
      ...draft,
      ...(maySetChannel && {slack_channel_id: channel?.trim() || null}),
    }),
  };
}

export function SlackSection({
  team,
  isReadOnly,
  isManager,
}: {
  readonly team: Team;
  readonly isReadOnly: boolean;
  readonly isManager: boolean;
}) {
  const section = useSection(team, createSlackSection(isManager));
  const {draft, change} = section;
  const {field, check} = bindFields(draft, change);
  const t = texts.team.slack;
  return (
    <SectionForm
      hint={hasSlack() ? (team.slack_channel_id === null ? t.none : t.hint) : t.off}
      isReadOnly={isReadOnly}
      section={section}
      describe={describeSlack}
      title={t.title}
    >
      <TextField
        {...(hasSlack() && {hint: isManager ? t.channelHint : t.channelRight})}
        isReadOnly={!isManager}
        label={t.channel}
        name="slack_channel_id"
        onChange={(channel) => change({slack_channel_id: channel || null})}
        spellCheck="false"
        value={draft.slack_channel_id ?? ''}
      />
      <Select
        {...field('slack_post_mode')}
        label={t.postMode}
        options={postModes.map((id) => ({id, label: t.postModes[id]}))}
      />
      <Select
        {...field('slack_digest')}
        label={t.digest}
        options={digests.map((id) => ({id, label: t.digests[id]}))}
      />
      <Select
        {...field('slack_replies')}
        label={t.replies}
        options={replyKinds.map((id) => ({id, label: t.replyKinds[id]}))}
      />
      {hasSlack() && draft.slack_replies === 'both' && (
        <Suspense>
          <MissingReplyScopes />
        </Suspense>
      )}
      <Select
        {...field('lead_summary')}
        label={t.leadSummary}
        options={leadSummaries.map((id) => ({id, label: t.leadSummaries[id]}))}
      />
      <CheckBox {...check('names_missing')} label={t.namesMissing} />
      <CheckBox
        isSelected={draft.absence_reasons === 'team'}
        label={t.sharesReasons}
        onChange={(isShared) => change({absence_reasons: isShared ? 'team' : 'leads'})}
      />
      <CheckBox {...check('slack_weekly_summary')} label={t.weekly} />
      <Select
        {...field('slack_mentions')}
        label={t.mentions}
        options={mentionKinds.map((id) => ({id, label: t.mentionKinds[id]}))}
      />
    </SectionForm>
  );
}

function describeSlack(draft: ReturnType<typeof posts.read>): readonly Fact[] {
  const {slack: t, yes, no} = texts.team;
  const say = (is: boolean): string => (is ? yes : no);
  return [
    [t.channel, draft.slack_channel_id ?? t.none],
    [t.postMode, t.postModes[draft.slack_post_mode]],
    [t.digest, t.digests[draft.slack_digest]],
    [t.replies, t.replyKinds[draft.slack_replies]],
    [t.leadSummary, t.leadSummaries[draft.lead_summary]],
    [t.namesMissing, say(draft.names_missing)],
    [t.sharesReasons, say(draft.absence_reasons === 'team')],
    [t.weekly, say(draft.slack_weekly_summary)],
    [t.mentions, t.mentionKinds[draft.slack_mentions]],
  ];
}
