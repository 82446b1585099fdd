import {useState} from 'react';
import {invalidate} from '../../api/queries.ts';
import type {Schema} from '../../api/schema.ts';
import {dateInZone, formatDayLong, formatList} from '../../texts/format.ts';
import {texts} from '../../texts/texts.ts';
import {Button} from '../button.tsx';
import {copyText} from '../copy-text.ts';
import {ProblemNote} from '../problem-note.tsx';
import {useAction} from '../use-action.ts';
import {addToTeams, type OfferedTeam} from './requests.ts';

interface CreatedLinksProps {
  readonly made: Schema<'CreatedInvites'>;
  /** The teams that were chosen. */
  readonly teams: readonly OfferedTeam[];
  readonly onDone: () => void;
}

/** Whether people got their links by mail, which no one else may see. */
export function isMailed({data}: Schema<'CreatedInvites'>): boolean {
  return data.length > 0 && data.every(({url}) => url === null);
}

/** Shows the links of new invites, which no later page can show, and the members who were passed over. */
export function CreatedLinks({made, teams, onDone}: CreatedLinksProps) {
  const {data, skipped} = made;
  const t = texts.invites;
  const [first] = data;
  const explain = ({email, email_domain: domain, expires_at}: typeof first & {}): string => {
    const date = formatDayLong(dateInZone(expires_at));
    if (email === null) return t.anyone({domain, teams: formatList(teams.map(({name}) => name)), date});
    if (isMailed(made)) return t.sent({count: data.length});
    return `${t.noMail} ${t.until({links: data.length, date})}`;
  };
  return (
    <div className="grid gap-4">
      {first !== undefined && <p>{explain(first)}</p>}
      <ul className="grid gap-3">
        {data.map(({id, email, url, max_uses}) => {
          if (url === null) return null;
          const label = email === null ? t.linkForMany({people: max_uses}) : t.linkFor({email});
          return (
            <li
              aria-label={label}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1"
              key={id}
            >
              <span className="font-semibold wrap-anywhere">{email ?? label}</span>
              <Button icon="copy" onPress={() => void copyText(url, t.copied)} size="small">
                {t.copy}
              </Button>
              <code
                aria-label={label}
                className="col-span-full rounded-md bg-inset p-2 font-mono text-xs/5 wrap-anywhere select-all"
                role="group"
              >
                {url}
              </code>
            </li>
          );
        })}
        {skipped.map(({email, member_id}) => (
          <SkippedMember email={email} key={member_id} member={member_id} teams={teams} />
        ))}
      </ul>
      <div>
        <Button kind="first" onPress={onDone}>
          {t.done}
        </Button>
      </div>
    </div>
  );
}

/** A member who was passed over. They can be added to the teams at once. */
function SkippedMember({
  email,
  member,
  teams,
}: {
  readonly email: string;
  readonly member: string;
  readonly teams: readonly OfferedTeam[];
}) {
  const t = texts.invites;
  const [isAdded, setAdded] = useState(false);
  const names = formatList(teams.map(({name}) => name));
  const {run, isPending, problem} = useAction(async () => {
    await addToTeams(member, teams);
    setAdded(true);
    await invalidate('team_member');
  });
  return (
    <li aria-label={email} className="flex flex-wrap items-center gap-3">
      <p role={isAdded ? 'status' : undefined}>
        {isAdded ? t.added({email, teams: names}) : t.skipped({email})}
      </p>
      {!isAdded && teams.length > 0 && (
        <Button isPending={isPending} onPress={() => void run()} size="small">
          {t.addToTeams({teams: names})}
        </Button>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </li>
  );
}
