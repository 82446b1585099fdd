import {Link} from '@tanstack/react-router';
import {lazy, type ReactNode, Suspense, useState} from 'react';
import {invalidate} from '../../api/queries.ts';
import type {Schema, Team} from '../../api/schema.ts';
import {send} from '../../api/send.ts';
import {Badge} from '../../parts/badge.tsx';
import {Button} from '../../parts/button.tsx';
import {type ButtonLook, buttonClass} from '../../parts/button-class.ts';
import {Card} from '../../parts/card.tsx';
import {hasFeature} from '../../parts/features.ts';
import {Hidden} from '../../parts/hidden.tsx';
import {Icon} from '../../parts/icon.tsx';
import {ProblemNote} from '../../parts/problem-note.tsx';
import {findBrowserZone} from '../../parts/zones.ts';
import {formatCity} from '../../texts/format.ts';
import {findText, loadTexts, texts} from '../../texts/texts.ts';
import {countSteps, listLeftSteps, type SetupStep} from './guide.ts';
import {addSkip, useSkips} from './skips.ts';
import {useZoneChange} from './use-zone-change.ts';

const NameDialog = lazy(async () => {
  const [module] = await Promise.all([import('./name-dialog.tsx'), loadTexts('more')]);
  return {default: module.NameDialog};
});

interface ChecklistProps {
  readonly setup: Schema<'Setup'>;
  readonly me: Schema<'Me'>;
  /** The team that the page shows. Without one, the steps that need a team wait for it. */
  readonly team: Team | undefined;
  /** Shows only what is left. */
  readonly isCard: boolean;
  /** Opens the dialog that invites people. It outlives its step, which is done before it shows the links. */
  readonly onInvite: () => void;
}

/** The steps by which a team gets going, for owners and admins. Each leads to what does it. */
export function Checklist({setup, me, team, isCard, onInvite}: ChecklistProps) {
  const {checklist: say} = texts.setup;
  const skips = useSkips(me.principal.id);
  const left = listLeftSteps(setup.steps, skips);
  const next = left.find(({optional}) => !optional)?.step;
  const offered = setup.steps.filter(
    ({step, state}) => state !== 'off' && findText(say.steps, step) !== undefined,
  );
  const rows = isCard ? offered.filter(({step}) => left.some((one) => one.step === step)) : offered;
  return (
    <Card labelledBy="setup">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="setup">{say.title}</h2>
        <span className="text-quiet" role="status">
          {say.progress(countSteps(setup.steps))}
        </span>
      </div>
      <ol className="divide-y divide-line">
        {rows.map((row) => (
          <Step
            isNext={row.step === next}
            isShort={isCard}
            isSkipped={skips.has(row.step)}
            key={row.step}
            me={me}
            onInvite={onInvite}
            row={row}
            team={team}
          />
        ))}
      </ol>
    </Card>
  );
}

interface StepProps extends Pick<ChecklistProps, 'me' | 'team' | 'onInvite'> {
  readonly row: SetupStep;
  readonly isNext: boolean;
  readonly isSkipped: boolean;
  /** Leaves out the hint, and the icon, which says nothing where every step is open. */
  readonly isShort: boolean;
}

/** The steps that wait for a team. */
const stepsOfTeam: ReadonlySet<string> = new Set(['schedule', 'questions', 'first_standup']);

function Step({row: {step, state, optional}, isNext, isSkipped, isShort, me, team, onInvite}: StepProps) {
  const {checklist: say} = texts.setup;
  const isDone = state === 'done';
  const title = findText(say.steps, step) ?? step;
  const isWaiting = team === undefined && stepsOfTeam.has(step);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      {!isShort && (
        <span className={isDone ? 'text-posted' : 'text-quiet'}>
          <Icon name={isDone ? 'check' : 'circle'} />
        </span>
      )}
      <div className="min-w-0 grow basis-40">
        <p
          className={`flex flex-wrap items-center gap-x-2 ${isDone || isSkipped ? 'text-quiet' : 'font-medium'}`}
        >
          {title}
          {isDone && <Hidden>({say.done})</Hidden>}
          {!isDone && optional && !isSkipped && <Badge>{texts.parts.optional}</Badge>}
          {!isDone && isSkipped && <Badge>{say.skipped}</Badge>}
        </p>
        {!isDone && !isSkipped && !isShort && (
          <p className="text-xs text-quiet">{findText(say.hints, step)}</p>
        )}
      </div>
      {!isDone && (
        <div className="flex flex-wrap items-center gap-2">
          <StepAct kind={isNext ? 'first' : 'plain'} me={me} onInvite={onInvite} step={step} team={team} />
          {!isSkipped && step !== 'team' && !isWaiting && (
            <Button
              aria-label={say.skipStep({step: title})}
              kind="quiet"
              onPress={() => addSkip(me.principal.id, step)}
              size="small"
            >
              {say.skip}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

interface StepActProps extends Pick<ChecklistProps, 'me' | 'team' | 'onInvite'>, Pick<ButtonLook, 'kind'> {
  readonly step: string;
}

function StepAct({step, me, team, kind, onInvite}: StepActProps): ReactNode {
  const {acts, steps, workspaceName, yourName} = texts.setup.checklist;
  const className = buttonClass({kind, size: 'small'});
  switch (step) {
    case 'team':
      return (
        <Link className={className} to="/teams/new">
          {acts.team}
        </Link>
      );
    case 'workspace':
      return (
        <NameStep
          act={acts.workspace}
          kind={kind}
          label={workspaceName}
          onSave={nameWorkspace}
          scope="workspace:manage"
          title={steps.workspace}
        />
      );
    case 'you':
      return (
        <NameStep
          act={acts.you}
          asksAddress={hasFeature('mail')}
          kind={kind}
          label={yourName}
          onSave={(name, email) => nameMember(me.principal.id, name, email)}
          title={steps.you}
        />
      );
    case 'timezone':
      return <ChooseZone kind={kind} me={me} team={team} />;
    case 'sign_in':
      return (
        <Link className={className} to="/sessions">
          {acts.sign_in}
        </Link>
      );
    case 'invite':
      return (
        <Button icon="plus" kind={kind} onPress={onInvite} size="small">
          {texts.parts.invite}
        </Button>
      );
    case 'schedule':
    case 'questions':
      return (
        team && (
          <Link className={className} hash={step} params={{team: team.slug}} to="/t/$team/settings">
            {acts[step]}
          </Link>
        )
      );
    case 'first_standup':
      return (
        team && (
          <Link
            className={className}
            resetScroll={false}
            search={(before: Record<string, unknown>) => ({...before, write: team.slug})}
            to="."
          >
            {acts.first_standup}
          </Link>
        )
      );
    case 'slack':
      return (
        <Link className={className} to="/workspace">
          {acts.slack}
        </Link>
      );
    case 'webhook':
      return (
        <Link className={className} to="/webhooks">
          {acts.webhook}
        </Link>
      );
    default:
      return null;
  }
}

interface NameStepProps extends Pick<ButtonLook, 'kind'> {
  readonly act: string;
  readonly title: string;
  readonly label: string;
  readonly asksAddress?: boolean;
  readonly scope?: 'workspace:manage';
  readonly onSave: (name: string, email: string) => Promise<unknown>;
}

/** A button that opens a dialog for a name. */
function NameStep({act, kind, ...rest}: NameStepProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} onPress={() => setOpen(true)} size="small">
        {act}
      </Button>
      {isOpen && (
        <Suspense>
          <NameDialog {...rest} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

async function nameWorkspace(name: string): Promise<void> {
  await send('patch', '/v1/workspace', {body: {name}});
  await invalidate('workspace');
}

async function nameMember(member: string, name: string, email: string): Promise<void> {
  await send('patch', '/v1/members/{member}', {member, body: {name, ...(email !== '' && {email})}});
  await invalidate('member');
}

function ChooseZone({kind, me, team}: Pick<StepActProps, 'kind' | 'me' | 'team'>) {
  const zone = findBrowserZone();
  const {run, isPending, problem} = useZoneChange(me, zone, team);
  const {acts} = texts.setup.checklist;
  return (
    <>
      <Button isPending={isPending} kind={kind} onPress={() => void run()} size="small">
        {acts.timezone({city: formatCity(zone)})}
      </Button>
      <Link
        className={buttonClass({kind: 'quiet', size: 'small'})}
        params={{member: me.principal.id}}
        search={{tab: 'settings'}}
        to="/people/$member"
      >
        {acts.otherZone}
      </Link>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
}
