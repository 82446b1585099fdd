import {useQuery} from '@tanstack/react-query';
import {useState} from 'react';
import {dropDraft, keepDraft} from '../api/drafts.ts';
import {Problem} from '../api/problem.ts';
import {teamQuery} from '../api/queries.ts';
import type {Schema} from '../api/schema.ts';
import {Button} from '../parts/button.tsx';
import {Empty} from '../parts/empty.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {Sheet} from '../parts/sheet.tsx';
import {Skeleton} from '../parts/skeleton.tsx';
import {toast} from '../parts/toast.ts';
import {useNow} from '../parts/use-now.ts';
import {formatDay} from '../words/format.ts';
import {words} from '../words/words.ts';
import {Conflict} from './conflict.tsx';
import {DraftNote} from './draft-note.tsx';
import {
  beginDraft,
  type Draft,
  editPlace,
  findDraft,
  isWorthKeeping,
  joinDrafts,
  newPlace,
  useDraft,
} from './draft.ts';
import {Earlier} from './earlier.tsx';
import {layOutEdit} from './lay-out-edit.ts';
import {OpenBlockers} from './open-blockers.tsx';
import {forgetDelivery} from './outbox.ts';
import {PostKeys} from './post-keys.tsx';
import {standupQuery} from './queries.ts';
import {save} from './save.ts';
import {errorsOf, refusedFields, StandupForm} from './standup-form.tsx';
import {useOwnBlockers} from './use-blockers.ts';
import {useDelivery, useOpenPanel} from './use-panel.ts';
import styles from './write.module.css';

interface EditStandupProps {
  readonly id: string;
  readonly me: Schema<'Me'>;
  readonly onClose: () => void;
}

export function EditStandup({id, me, onClose}: EditStandupProps) {
  const {data: standup, error, refetch} = useQuery(standupQuery(id));
  const {data: team, error: teamError} = useQuery({
    ...teamQuery(standup?.team_id ?? ''),
    enabled: standup !== undefined,
  });
  const isGone = error instanceof Problem && error.status === 404;
  if (standup !== undefined && !isGone && standup.author.id !== me.principal.id) {
    return (
      <Sheet isOpen onClose={onClose} title={words.write.titleEdit}>
        <Empty {...words.write.notYours} />
      </Sheet>
    );
  }
  if (isGone) return <Gone id={id} onClose={onClose} standup={standup} team={team} />;
  if (standup !== undefined && (team !== undefined || teamError !== null)) {
    return <EditForm onClose={onClose} standup={standup} team={team} />;
  }
  return (
    <Sheet isOpen onClose={onClose} title={words.write.titleEdit}>
      {error === null ? (
        <Skeleton lines={8} />
      ) : (
        <ProblemNote onRetry={() => void refetch()} problem={error} />
      )}
    </Sheet>
  );
}

interface EditFormProps {
  readonly standup: Schema<'ShownStandup'>;
  readonly team: Schema<'Team'> | undefined;
  readonly onClose: () => void;
}

function EditForm({standup, team, onClose}: EditFormProps) {
  const {id, revision} = standup;
  const place = editPlace(id);
  const now = useNow(20_000);
  const openPanel = useOpenPanel();
  const delivery = useDelivery(place);
  const {draft, isFound, isKept, change, startOver} = useDraft(place, {revision});
  const [tries, setTries] = useState(0);
  const [isWrong, setWrong] = useState(false);
  const blockers = useOwnBlockers(team === undefined ? [] : [team]);

  const isTouched = isWorthKeeping(draft);
  const laidOut = layOutEdit(standup, draft.values, team?.questions ?? []);
  const {fields, values, said, faults} = laidOut;
  const isConflict = isTouched && draft.revision !== revision && delivery?.is !== 'sending';
  const refusal = delivery?.is === 'refused' && delivery.problem.status !== 412 ? delivery : undefined;
  const errors = {
    ...refusedFields(refusal?.problem, refusal?.body, fields),
    ...(isWrong && errorsOf(faults, fields)),
  };

  const set = (given: Partial<Draft>): void => change({...(!isTouched && {revision}), ...given});
  const saveAt = (base: number): void => {
    setTries(tries + 1);
    setWrong(faults.size > 0);
    if (faults.size > 0) return;
    if (!isTouched) return onClose();
    save({
      place,
      draft,
      standup,
      edit: {
        change: {...laidOut.change, ...(draft.resolved.length > 0 && {resolved: [...draft.resolved]})},
        revision: base,
      },
      said,
      reopen: () => openPanel({edit: id}),
    });
    onClose();
  };
  const submit = (): void => {
    if (!isConflict) saveAt(draft.revision ?? revision);
  };
  const putAside = (text: string): void => {
    const dropped = draft;
    forgetDelivery(place);
    startOver();
    setWrong(false);
    toast({
      text,
      undo: () => {
        keepDraft(place, dropped);
        openPanel({});
        openPanel({edit: id});
      },
    });
  };
  const close = (): void => {
    if (isTouched) toast({text: words.write.draftKept});
    if (refusal !== undefined) forgetDelivery(place);
    onClose();
  };
  const title = words.write.titleEdit;
  if (isConflict) {
    return (
      <Sheet
        footer={
          <>
            <Button
              onPress={() => {
                putAside(words.write.conflict.took);
                onClose();
              }}
            >
              {words.write.conflict.takeTheirs}
            </Button>
            <Button onPress={() => change({revision})}>{words.write.conflict.editOn}</Button>
            <Button kind="first" onPress={() => saveAt(revision)}>
              {words.write.conflict.keepMine}
            </Button>
          </>
        }
        isOpen
        onClose={close}
        title={title}
      >
        <Conflict mine={said} standup={standup} />
      </Sheet>
    );
  }
  return (
    <Sheet
      footer={
        <Button
          aria-keyshortcuts="Control+Enter Meta+Enter"
          isPending={delivery?.is === 'sending'}
          kind="first"
          onPress={submit}
        >
          {words.write.save}
          <PostKeys />
        </Button>
      }
      isOpen
      onClose={close}
      title={title}
    >
      <StandupForm
        errors={errors}
        fields={fields}
        onChange={(key, value) => set({values: {...draft.values, [key]: value}})}
        onSubmit={submit}
        problem={refusal?.problem}
        top={
          <div className={styles['top']}>
            <DraftNote
              {...{draft, isFound, isKept, delivery, now}}
              onStartOver={() => putAside(words.write.dropped)}
            />
            <p className={styles['line']}>
              <span className={styles['day']}>
                <bdi>{team?.name ?? standup.team}</bdi> · {formatDay(standup.date, {weekday: 'long'})}
              </span>
            </p>
          </div>
        }
        tries={tries}
        values={values}
      >
        <OpenBlockers
          blockers={blockers.filter(({standup: told}) => told !== id)}
          onChange={(resolved) => set({resolved})}
          resolved={draft.resolved}
        />
        <Earlier standup={standup} />
      </StandupForm>
    </Sheet>
  );
}

interface GoneProps {
  readonly id: string;
  /** The standup as last read, if it was. */
  readonly standup: Schema<'ShownStandup'> | undefined;
  readonly team: Schema<'Team'> | undefined;
  readonly onClose: () => void;
}

/** The standup was deleted during the edit: the typed text can become a new one. */
function Gone({id, standup, team, onClose}: GoneProps) {
  const {gone, titleEdit} = words.write;
  const openPanel = useOpenPanel();
  const place = editPlace(id);
  const {values: typed = {}} = findDraft(place) ?? {};
  const writeAnew = (): void => {
    if (standup !== undefined) {
      const {values} = layOutEdit(standup, typed, team?.questions ?? []);
      const fresh = beginDraft({values, teams: [standup.team], questions: team?.questions ?? []});
      keepDraft(newPlace(standup.team), joinDrafts(fresh, findDraft(newPlace(standup.team))));
      dropDraft(place);
    }
    openPanel({write: standup?.team ?? ''});
  };
  return (
    <Sheet isOpen onClose={onClose} title={titleEdit}>
      <div className={styles['stack']}>
        <Empty
          action={<Button onPress={writeAnew}>{gone.another}</Button>}
          text={gone.text}
          title={gone.title}
        />
        {Object.entries(typed).map(([field, text]) => (
          <p className={styles['typed']} key={field}>
            {String(text)}
          </p>
        ))}
      </div>
    </Sheet>
  );
}
