import {CheckBox} from '../parts/check-box.tsx';
import {Select} from '../parts/select.tsx';
import {TextField} from '../parts/text-field.tsx';
import {hasSlack} from '../parts/has-slack.ts';
import {texts} from '../texts/texts.ts';
import type {Team} from './queries.ts';
import {type Fact, SectionForm} from './section.tsx';
import {type SectionOf, useSection} from './use-section.ts';

const postModes = ['thread', 'channel', 'digest'] as const;
const digests = ['thread', 'channel', 'off'] as const;
const mentionKinds = ['none', 'team', 'workspace'] as const;

interface Slack {
  readonly channel: string;
  readonly postMode: (typeof postModes)[number];
  readonly digest: (typeof digests)[number];
  readonly namesMissing: boolean;
  readonly sharesReasons: boolean;
  readonly weekly: boolean;
  readonly mentions: (typeof mentionKinds)[number];
}

function createSlackSection(maySetChannel: boolean): SectionOf<Slack> {
  return {
    name: 'slack',
    read: (team) => ({
      channel: team.slack_channel_id ?? '',
      postMode: team.slack_post_mode,
      digest: team.slack_digest,
      namesMissing: team.names_missing,
      sharesReasons: team.absence_reasons === 'team',
      weekly: team.slack_weekly_summary,
      mentions: team.slack_mentions,
    }),
    write: ({channel, postMode, digest, namesMissing, sharesReasons, weekly, mentions}) => ({
      ...(maySetChannel && {slack_channel_id: channel.trim() === '' ? null : channel.trim()}),
      slack_post_mode: postMode,
      slack_digest: digest,
      names_missing: namesMissing,
      absence_reasons: sharesReasons ? 'team' : 'leads',
      slack_weekly_summary: weekly,
      slack_mentions: mentions,
    }),
  };
}

/** Section with the team's Slack channel, and the posts that the channel gets. */
export function SlackSection({
  team,
  isReadOnly,
  isManager,
}: {
  readonly team: Team;
  readonly isReadOnly: boolean;
  /** True for owners and admins of the workspace, who alone may enter a channel by its id. */
  readonly isManager: boolean;
}) {
  const section = useSection(team, createSlackSection(isManager));
  const {draft, set} = section;
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
        onChange={(channel) => set({...draft, channel})}
        spellCheck="false"
        value={draft.channel}
      />
      <Select
        label={t.postMode}
        name="slack_post_mode"
        onChange={(postMode) => set({...draft, postMode})}
        options={postModes.map((id) => ({id, label: t.postModes[id]}))}
        value={draft.postMode}
      />
      <Select
        label={t.digest}
        name="slack_digest"
        onChange={(digest) => set({...draft, digest})}
        options={digests.map((id) => ({id, label: t.digests[id]}))}
        value={draft.digest}
      />
      <CheckBox
        isSelected={draft.namesMissing}
        label={t.namesMissing}
        onChange={(namesMissing) => set({...draft, namesMissing})}
      />
      <CheckBox
        isSelected={draft.sharesReasons}
        label={t.sharesReasons}
        onChange={(sharesReasons) => set({...draft, sharesReasons})}
      />
      <CheckBox isSelected={draft.weekly} label={t.weekly} onChange={(weekly) => set({...draft, weekly})} />
      <Select
        label={t.mentions}
        name="slack_mentions"
        onChange={(mentions) => set({...draft, mentions})}
        options={mentionKinds.map((id) => ({id, label: t.mentionKinds[id]}))}
        value={draft.mentions}
      />
    </SectionForm>
  );
}

function describeSlack(draft: Slack): readonly Fact[] {
  const {slack: t, yes, no} = texts.team;
  const say = (is: boolean): string => (is ? yes : no);
  return [
    [t.channel, draft.channel === '' ? t.none : draft.channel],
    [t.postMode, t.postModes[draft.postMode]],
    [t.digest, t.digests[draft.digest]],
    [t.namesMissing, say(draft.namesMissing)],
    [t.sharesReasons, say(draft.sharesReasons)],
    [t.weekly, say(draft.weekly)],
    [t.mentions, t.mentionKinds[draft.mentions]],
  ];
}
