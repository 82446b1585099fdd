import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Badge} from '../parts/badge.tsx';
import {EmailAddress} from '../parts/email-address.tsx';
import {Icon} from '../parts/icon.tsx';
import {Initials} from '../parts/initials.tsx';
import {findStatusName, StatusMark} from '../parts/status-mark.tsx';
import {useNow} from '../parts/use-now.ts';
import {useTitle} from '../parts/use-title.ts';
import {formatDay, formatTime, formatZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {mostTeams, type PersonProfile, type PersonTeam} from './found-person.ts';
import {membershipQuery} from './queries.ts';

const teamClass =
  'inline-flex min-h-8 min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-lg border border-line bg-card px-3 py-1 [&_a]:font-medium [&_a]:text-inherit [&_a]:no-underline [&_a]:underline-offset-3 [&_a:hover]:underline';

interface PersonHeadProps {
  readonly person: PersonProfile;
  readonly hasLeft: boolean;
  /** True if the session may not read this person's profile. */
  readonly isHidden: boolean;
}

export function PersonHead({person, hasLeft, isHidden}: PersonHeadProps) {
  const {people} = texts;
  const {name = people.someone, isMe, member, teams} = person;
  useTitle(name);
  const roles: Readonly<Record<string, string>> = people.roles;
  return (
    <header className="flex items-start gap-4 max-sm:gap-3">
      <Initials name={name} size={56} />
      <div className="grid min-w-0 gap-2">
        <h1>
          <bdi>{name}</bdi>
          {isMe && <span className="font-normal text-quiet"> ({texts.parts.you})</span>}
        </h1>
        <ul className="flex flex-wrap items-center gap-x-4 gap-y-1 text-quiet empty:hidden [&>li]:inline-flex [&>li]:items-center [&>li]:gap-1.5">
          {person.timezone !== undefined && !hasLeft && (
            <li>
              <Icon name="clock" size={16} />
              <PersonClock isOwn={isMe} zone={person.timezone} />
            </li>
          )}
          {member !== undefined && member.role !== 'member' && (
            <li>
              <Badge>{roles[member.role] ?? member.role}</Badge>
            </li>
          )}
          {typeof member?.email === 'string' && (
            <li>
              <EmailAddress member={member} />
            </li>
          )}
        </ul>
        {hasLeft && <p className="max-w-narrow text-quiet">{people.left}</p>}
        {isHidden && <p className="max-w-narrow text-quiet">{people.hidden}</p>}
        {teams.length > 0 && (
          <ul aria-label={texts.frame.teams} className="flex flex-wrap items-center gap-2">
            {teams.slice(0, mostTeams).map((team) => (
              <TeamMembership key={team.id} person={person} team={team} />
            ))}
            {teams.slice(mostTeams).map(({id, slug, name: other}) => (
              <li className={teamClass} key={id}>
                <Link params={{team: slug}} to="/t/$team">
                  {other}
                </Link>
              </li>
            ))}
          </ul>
        )}
      </div>
    </header>
  );
}

function PersonClock({zone, isOwn}: {readonly zone: string; readonly isOwn: boolean}) {
  const now = useNow(20_000);
  const {clock, ownClock} = texts.people;
  return (isOwn ? ownClock : clock)({time: formatTime(now, zone), zone: formatZone(zone, now)});
}

function TeamMembership({person, team}: {readonly person: PersonProfile; readonly team: PersonTeam}) {
  const isAsked = team.role === undefined;
  const {data: membership} = useQuery({...membershipQuery(team.slug, person.id), enabled: isAsked});
  const {people} = texts;
  const day = person.days.get(team.id);
  const role = team.role ?? membership?.role;
  return (
    <li className={teamClass}>
      <Link params={{team: team.slug}} to="/t/$team">
        {team.name}
      </Link>
      {role === 'lead' && <Badge>{people.lead}</Badge>}
      {day !== undefined && (
        <span className="inline-flex min-w-0 items-center gap-1.5 text-quiet">
          <StatusMark status={day.status} />
          <span>
            {people.today({status: findStatusName(day.status)})}
            {day.until !== null && ` ${people.until({day: formatDay(day.until)})}`}
            {day.reason !== null && (
              <>
                {': '}
                <bdi>{day.reason}</bdi>
              </>
            )}
          </span>
        </span>
      )}
    </li>
  );
}
