import {useQuery} from '@tanstack/react-query';
import {lazy, Suspense, useEffect, useRef, useState} from 'react';
import {queryClient, invalidate} from '../api/queries.ts';
import type {Workspace} from '../api/schema.ts';
import {send} from '../api/send.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {Form} from '../parts/form.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {formatSize} from '../parts/download-size.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useDraft} from '../parts/use-draft.ts';
import {useNow} from '../parts/use-now.ts';
import {formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {Note} from './note.tsx';
import {workspaceQuery} from './queries.ts';
import {findFirstKeptDay, deletesMoreData, retentionDays} from './retention.ts';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../parts/confirm-dialog.tsx')).ConfirmDialog,
}));

export function Settings() {
  const {data, error, refetch} = useQuery(workspaceQuery);
  if (data !== undefined) return <SettingsForm workspace={data} />;
  return error === null ? <Skeleton lines={5} /> : <ProblemNote onRetry={refetch} problem={error} />;
}

/** A draft, and the revision on which it is based. */
interface WorkspaceSettingsDraft {
  readonly revision: number;
  readonly name?: string;
  readonly retention_days?: number | null;
  readonly leads_invite?: boolean;
  /** The emoji that mean away, as typed. */
  readonly away_emoji?: string;
}

/** Retention (days) that the form proposes when the person first sets a limit. */
const usualDays = 365;

function SettingsForm({workspace}: {readonly workspace: Workspace}) {
  const now = useNow(60_000);
  const [draft, keep, dropDraft] = useDraft<WorkspaceSettingsDraft | undefined>('workspace', undefined);
  const newest = useRef(draft);
  const [isAsking, setAsking] = useState(false);
  const {settings: t} = texts.workspace;
  const base = draft?.revision ?? workspace.revision;
  const name = draft?.name ?? workspace.name;
  const days = draft?.retention_days === undefined ? workspace.retention_days : draft.retention_days;
  const leads = draft?.leads_invite ?? workspace.leads_invite;
  const keptEmoji = workspace.away_emoji.join(' ');
  const emoji = draft?.away_emoji ?? keptEmoji;
  const isChanged =
    name !== workspace.name ||
    days !== workspace.retention_days ||
    leads !== workspace.leads_invite ||
    emoji !== keptEmoji;
  const isLess = deletesMoreData(workspace.retention_days, days);
  const hasConflict = isChanged && base < workspace.revision;
  const save = useAction(() =>
    send('patch', '/v1/workspace', {
      revision: base,
      body: {
        ...(name !== workspace.name && {name}),
        ...(days !== workspace.retention_days && {retention_days: days}),
        ...(leads !== workspace.leads_invite && {leads_invite: leads}),
        ...(emoji !== keptEmoji && {away_emoji: emoji.split(/[\s,]+/).filter((one) => one !== '')}),
      },
    }),
  );

  useEffect(() => void (newest.current = draft));
  const set = (next: Omit<Partial<WorkspaceSettingsDraft>, 'revision'>): void =>
    keep({revision: base, ...draft, ...next});
  const forget = (): void => {
    keep(undefined);
    dropDraft();
    save.reset();
  };
  const submit = async (): Promise<void> => {
    const changed = await save.run();
    if (changed === undefined) {
      // Another person may have saved first; then the form shows their version beside the draft.
      await invalidate('workspace');
      return;
    }
    setAsking(false);
    queryClient.setQueryData(workspaceQuery.queryKey, changed);
    void invalidate('member');
    // Text typed during the save stays a draft on the new revision.
    if (newest.current === draft || newest.current === undefined) forget();
    else keep({...newest.current, revision: changed.revision});
    toast({text: t.saved});
  };
  const press = (): void => (isLess ? setAsking(true) : void submit());

  return (
    <Card labelledBy="workspace-settings">
      <h2 id="workspace-settings">{t.title}</h2>
      <Form onSubmit={press} problem={save.problem}>
        <TextField
          autoComplete="off"
          hint={t.slug({slug: workspace.slug})}
          label={t.name}
          maxLength={80}
          name="name"
          onChange={(text) => set({name: text})}
          value={name}
        />
        <RadioGroup
          label={t.retention}
          onChange={(chosen) =>
            set({retention_days: chosen === 'ever' ? null : (workspace.retention_days ?? usualDays)})
          }
          options={[
            {id: 'ever', label: t.forEver},
            {id: 'days', label: t.forDays},
          ]}
          value={days === null ? 'ever' : 'days'}
        />
        {days !== null && (
          <div className="max-w-50">
            <NumberField
              hint={t.daysHint}
              label={t.days}
              maxValue={retentionDays.max}
              minValue={retentionDays.min}
              name="retention_days"
              onChange={(amount) => Number.isFinite(amount) && set({retention_days: amount})}
              value={days}
            />
          </div>
        )}
        <Note isDanger={isLess} role="status">
          {days === null ? t.keepsAll : t.deletes({day: formatDay(findFirstKeptDay(days, now))})}{' '}
          {isLess && <strong className="text-missed">{t.shorter}</strong>}
        </Note>
        <Note>
          {t.used({
            used: formatSize(workspace.storage.used_bytes),
            limit:
              workspace.storage.limit_bytes === null ? undefined : formatSize(workspace.storage.limit_bytes),
          })}
        </Note>
        <CheckBox
          hint={t.leadsInviteHint}
          isSelected={leads}
          label={t.leadsInvite}
          name="leads_invite"
          onChange={(chosen) => set({leads_invite: chosen})}
        />
        {workspace.slack.connected && (
          <TextField
            autoComplete="off"
            hint={t.awayEmojiHint}
            label={t.awayEmoji}
            name="away_emoji"
            onChange={(text) => set({away_emoji: text})}
            value={emoji}
          />
        )}
        {hasConflict && (
          <Conflict
            mine={{name, days, leads, emoji}}
            onKeep={() => {
              save.reset();
              keep({...draft, revision: workspace.revision});
            }}
            onTake={forget}
            theirs={{
              name: workspace.name,
              days: workspace.retention_days,
              leads: workspace.leads_invite,
              emoji: keptEmoji,
            }}
          />
        )}
        {save.problem !== undefined && !isAsking && !hasConflict && <ProblemNote problem={save.problem} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            isDisabled={!isChanged || hasConflict}
            isPending={save.isPending}
            kind={isLess ? 'danger' : 'first'}
            type="submit"
          >
            {t.save}
          </Button>
          {isChanged && <Button onPress={forget}>{t.discard}</Button>}
        </div>
      </Form>
      {isAsking && !hasConflict && (
        <Suspense>
          <ConfirmDialog
            confirm={t.confirm}
            isOpen
            isPending={save.isPending}
            onClose={() => setAsking(false)}
            onConfirm={submit}
            problem={save.problem}
            text={
              <>
                <p className="my-3.5">
                  {days !== null && t.deletes({day: formatDay(findFirstKeptDay(days, now))})}
                </p>
                <p className="my-3.5">{t.shorter}</p>
              </>
            }
            title={t.confirmTitle}
            typed={workspace.name}
          />
        </Suspense>
      )}
    </Card>
  );
}

interface Version {
  readonly name: string;
  readonly days: number | null;
  readonly leads: boolean;
  readonly emoji: string;
}

function Conflict({
  mine,
  theirs,
  onKeep,
  onTake,
}: {
  readonly mine: Version;
  readonly theirs: Version;
  readonly onKeep: () => void;
  readonly onTake: () => void;
}) {
  const {settings: t} = texts.workspace;
  const versions = [
    {title: t.mine, ...mine},
    {title: t.theirs, ...theirs},
  ];
  return (
    <div className="grid gap-3" role="alert">
      <p>
        <strong>{t.conflict}.</strong> {t.conflictText}
      </p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(200px,1fr))] gap-3">
        {versions.map(({title, name, days, leads, emoji}) => (
          <section className="rounded-lg border border-line p-3" key={title}>
            <h3 className="mb-1 text-xs font-bold text-quiet">{title}</h3>
            <p dir="auto">{name}</p>
            <p>{t.kept({days})}</p>
            <p>{t.leadsMayInvite({leads})}</p>
            {mine.emoji !== theirs.emoji && <p dir="ltr">{emoji}</p>}
          </section>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button onPress={onKeep}>{t.keepMine}</Button>
        <Button onPress={onTake}>{t.takeTheirs}</Button>
      </div>
    </div>
  );
}
