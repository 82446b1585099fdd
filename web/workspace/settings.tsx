import {useQuery, useQueryClient} from '@tanstack/react-query';
import {useEffect, useRef, useState} from 'react';
import {dropDraft, keepDraft, readDraft} from '../api/drafts.ts';
import {meQuery} from '../api/queries.ts';
import {Button} from '../parts/button.tsx';
import {Card} from '../parts/card.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Form} from '../parts/form.tsx';
import {NumberField} from '../parts/number-field.tsx';
import {formatSize} from '../parts/download-size.ts';
import {ProblemNote} from '../parts/problem-note.tsx';
import {RadioGroup} from '../parts/radio-group.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {TextField} from '../parts/text-field.tsx';
import {toast} from '../parts/toast.ts';
import {useAction} from '../parts/use-action.ts';
import {useNow} from '../parts/use-now.ts';
import {formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import styles from './page.module.css';
import {changeWorkspace, type Workspace, workspaceQuery} from './queries.ts';
import {firstKeptDay, keepsLess, retentionDays} from './retention.ts';

export function Settings() {
  const {data, error, refetch} = useQuery(workspaceQuery);
  if (data !== undefined) return <SettingsOf workspace={data} />;
  return error === null ? <Skeleton lines={5} /> : <ProblemNote onRetry={refetch} problem={error} />;
}

/** A draft, and the revision on which it is based. */
interface Typed {
  readonly revision: number;
  readonly name?: string;
  readonly retention_days?: number | null;
}

const place = 'workspace';
/** The default when retention had no limit before. */
const usualDays = 365;

function SettingsOf({workspace}: {readonly workspace: Workspace}) {
  const client = useQueryClient();
  const now = useNow(60_000);
  const [typed, setTyped] = useState(() => readDraft<Typed>(place));
  const newest = useRef(typed);
  const [isAsking, setAsking] = useState(false);
  const {settings: texts} = words.workspace;
  const base = typed?.revision ?? workspace.revision;
  const name = typed?.name ?? workspace.name;
  const days = typed?.retention_days === undefined ? workspace.retention_days : typed.retention_days;
  const isChanged = name !== workspace.name || days !== workspace.retention_days;
  const isLess = keepsLess(workspace.retention_days, days);
  const hasConflict = isChanged && base < workspace.revision;
  const save = useAction(() =>
    changeWorkspace(
      {...workspace, revision: base},
      {
        ...(name !== workspace.name && {name}),
        ...(days !== workspace.retention_days && {retention_days: days}),
      },
    ),
  );

  useEffect(() => void (newest.current = typed));
  const keep = (next: Typed): void => {
    setTyped(next);
    keepDraft(place, next);
  };
  const set = (next: Omit<Partial<Typed>, 'revision'>): void => keep({revision: base, ...typed, ...next});
  const forget = (): void => {
    setTyped(undefined);
    dropDraft(place);
    save.reset();
  };
  const submit = async (): Promise<void> => {
    const changed = await save.run();
    if (changed === undefined) {
      // Another person may have saved first: their version is shown beside the draft.
      await client.invalidateQueries(workspaceQuery);
      return;
    }
    setAsking(false);
    client.setQueryData(workspaceQuery.queryKey, changed);
    void client.invalidateQueries(meQuery);
    // Text typed during the save stays a draft on the new revision.
    if (newest.current === typed || newest.current === undefined) forget();
    else keep({...newest.current, revision: changed.revision});
    toast({text: texts.saved});
  };
  const press = (): void => (isLess ? setAsking(true) : void submit());

  return (
    <Card labelledBy="workspace-settings">
      <h2 id="workspace-settings">{texts.title}</h2>
      <Form onSubmit={press} problem={save.problem}>
        <TextField
          autoComplete="off"
          hint={texts.slug(workspace.slug)}
          label={texts.name}
          maxLength={80}
          name="name"
          onChange={(text) => set({name: text})}
          value={name}
        />
        <RadioGroup
          label={texts.retention}
          onChange={(chosen) =>
            set({retention_days: chosen === 'ever' ? null : (workspace.retention_days ?? usualDays)})
          }
          options={[
            {id: 'ever', label: texts.forEver},
            {id: 'days', label: texts.forDays},
          ]}
          value={days === null ? 'ever' : 'days'}
        />
        {days !== null && (
          <div className={styles['days']}>
            <NumberField
              hint={texts.daysHint}
              label={texts.days}
              maxValue={retentionDays.max}
              minValue={retentionDays.min}
              name="retention_days"
              onChange={(amount) => Number.isFinite(amount) && set({retention_days: amount})}
              value={days}
            />
          </div>
        )}
        <p className={styles['note']} data-tone={isLess ? 'danger' : undefined} role="status">
          {days === null ? texts.keepsAll : texts.deletes(formatDay(firstKeptDay(days, now)))}{' '}
          {isLess && <strong>{texts.shorter}</strong>}
        </p>
        <p className={styles['note']}>
          {texts.used(
            formatSize(workspace.storage.used_bytes),
            workspace.storage.limit_bytes === null ? undefined : formatSize(workspace.storage.limit_bytes),
          )}
        </p>
        {hasConflict && (
          <Conflict
            mine={{name, days}}
            onKeep={() => {
              save.reset();
              keep({...typed, revision: workspace.revision});
            }}
            onTake={forget}
            theirs={{name: workspace.name, days: workspace.retention_days}}
          />
        )}
        {save.problem !== undefined && !isAsking && !hasConflict && <ProblemNote problem={save.problem} />}
        <div className={styles['foot']}>
          <Button
            isDisabled={!isChanged || hasConflict}
            isPending={save.isPending}
            kind={isLess ? 'danger' : 'first'}
            type="submit"
          >
            {texts.save}
          </Button>
          {isChanged && <Button onPress={forget}>{texts.discard}</Button>}
        </div>
      </Form>
      <ConfirmDialog
        confirm={texts.confirm}
        isOpen={isAsking && !hasConflict}
        isPending={save.isPending}
        onClose={() => setAsking(false)}
        onConfirm={submit}
        problem={save.problem}
        text={
          <>
            <p>{days !== null && texts.deletes(formatDay(firstKeptDay(days, now)))}</p>
            <p>{texts.shorter}</p>
          </>
        }
        title={texts.confirmTitle}
        typed={workspace.name}
      />
    </Card>
  );
}

interface Version {
  readonly name: string;
  readonly days: number | null;
}

/** Shows both versions; neither is lost until the person chooses one. */
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
  const {settings: texts} = words.workspace;
  const versions = [
    {title: texts.mine, ...mine},
    {title: texts.theirs, ...theirs},
  ];
  return (
    <div className={styles['stack']} role="alert">
      <p>
        <strong>{texts.conflict}.</strong> {texts.conflictText}
      </p>
      <div className={styles['versions']}>
        {versions.map(({title, name, days}) => (
          <section className={styles['version']} key={title}>
            <h3>{title}</h3>
            <p dir="auto">{name}</p>
            <p>{texts.kept(days)}</p>
          </section>
        ))}
      </div>
      <div className={styles['foot']}>
        <Button onPress={onKeep}>{texts.keepMine}</Button>
        <Button onPress={onTake}>{texts.takeTheirs}</Button>
      </div>
    </div>
  );
}
