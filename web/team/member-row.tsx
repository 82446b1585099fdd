import {useState} from 'react';
import {api} from '../api/client.ts';
import {queryClient} from '../api/queries.ts';
import {Badge} from '../parts/badge.tsx';
import {ConfirmDialog} from '../parts/confirm-dialog.tsx';
import {Icon} from '../parts/icon.tsx';
import {IconButton} from '../parts/icon-button.tsx';
import {PersonName} from '../parts/person-name.tsx';
import {ProblemNote} from '../parts/problem-note.tsx';
import {useAction} from '../parts/use-action.ts';
import {formatTime, formatZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import type {ClockLine} from './clocks.ts';
import styles from './members.module.css';
import type {Membership, Team} from './queries.ts';
import {describeOddHours, formatTimeOnDay} from './schedule-draft.ts';
import {refetchMembers, parseRole, roles, type TeamRole} from './roles.ts';

interface TeamMemberRowProps {
  readonly membership: Membership;
  readonly team: Team;
  readonly zone: string | undefined;
  /** The times of the next run by this member's clock. */
  readonly window: ClockLine | undefined;
  readonly now: number;
  readonly isYou: boolean;
  readonly isReadOnly: boolean;
  readonly onSaid: (sentence: string) => void;
}

export function MemberRow(props: TeamMemberRowProps) {
  const {membership, team, zone, window, now, isYou, isReadOnly, onSaid} = props;
  const t = texts.team.members;
  const id = membership.member.id ?? '';
  const name = membership.member.name ?? '';
  const role = parseRole(membership.role);
  const path = {team: team.slug, member: id};
  const header = {'If-Match': `"${membership.revision}"`};
  const change = useAction(async (next: TeamRole) => {
    const body = {role: next};
    try {
      await api.PUT('/v1/teams/{team}/members/{member}', {params: {path, header}, body});
    } finally {
      await refetchMembers();
    }
    onSaid(t.changed({name, role: next}));
  });
  return (
    <li className={styles['row']} data-member={id}>
      <div className={styles['who']}>
        <PersonName isYou={isYou} name={name} />
        {!membership.accepted && <span className={styles['note']}>{t.notAccepted}</span>}
      </div>
      <div className={styles['clock']}>
        {zone !== undefined && (
          <span>{t.clock({time: formatTime(now, zone), zone: formatZone(zone, now)})}</span>
        )}
        {role === 'observer' ? (
          <span>{t.notAsked}</span>
        ) : (
          window !== undefined && (
            <span>
              {t.window({
                opens: formatTimeOnDay(window.opens, window.opensOn),
                closes: formatTimeOnDay(window.closes, window.closesOn),
              })}
              {window.isOdd && (
                <span className={styles['odd']}>
                  {' '}
                  <Icon name="warning" size={16} />
                  {describeOddHours()}
                </span>
              )}
            </span>
          )
        )}
      </div>
      {isReadOnly ? (
        <div className={styles['acts']}>
          <Badge>{t.roles[role]}</Badge>
          {isYou && <RemoveMember {...props} />}
        </div>
      ) : (
        <div className={styles['acts']}>
          <select
            aria-label={t.role({name})}
            disabled={change.isPending}
            onChange={({target}) => void change.run(parseRole(target.value))}
            title={t.roleHints[role]}
            value={role}
          >
            {roles.map((one) => (
              <option key={one} title={t.roleHints[one]} value={one}>
                {t.roles[one]}
              </option>
            ))}
          </select>
          <RemoveMember {...props} />
        </div>
      )}
      {change.problem !== undefined && (
        <div className={styles['problem']}>
          <ProblemNote problem={change.problem} />
        </div>
      )}
    </li>
  );
}

function RemoveMember({membership, team, isYou, onSaid}: TeamMemberRowProps) {
  const t = texts.team.members;
  const name = membership.member.name ?? '';
  const [isOpen, setOpen] = useState(false);
  const {run, isPending, problem} = useAction(async () => {
    const path = {team: team.slug, member: membership.member.id ?? ''};
    await api.DELETE('/v1/teams/{team}/members/{member}', {params: {path}});
    setOpen(false);
    await refetchMembers();
    if (isYou) await queryClient.invalidateQueries({queryKey: ['getMe']});
    onSaid(t.removed({name}));
  });
  return (
    <>
      <IconButton
        icon={isYou ? 'sign-out' : 'trash'}
        label={isYou ? t.leave : t.remove({name})}
        onPress={() => setOpen(true)}
      />
      <ConfirmDialog
        confirm={isYou ? t.leaveConfirm : t.removeConfirm}
        isOpen={isOpen}
        isPending={isPending}
        onClose={() => setOpen(false)}
        onConfirm={() => void run()}
        problem={problem}
        text={isYou ? t.removeSelf : t.removeText({name})}
        title={isYou ? t.leaveTitle({team: team.name}) : t.removeTitle({name})}
      />
    </>
  );
}
