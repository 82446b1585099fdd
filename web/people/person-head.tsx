import {useQuery} from '@tanstack/react-query';
import {Link} from '@tanstack/react-router';
import {Badge} from '../parts/badge.tsx';
import {Icon} from '../parts/icon.tsx';
import {Initials} from '../parts/initials.tsx';
import {findStatusName, StatusMark} from '../parts/status-mark.tsx';
import {useNow} from '../parts/use-now.ts';
import {useTitle} from '../parts/use-title.ts';
import {formatDay, formatTime, formatZone} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';
import {mostTeams, type PersonProfile, type PersonTeam} from './found-person.ts';
import styles from './person-head.module.css';
import {membershipQuery} from './queries.ts';

interface PersonHeadProps {
  readonly person: PersonProfile;
  readonly hasLeft: boolean;
  /** True if the session may not read this person's profile. */
  readonly isHidden: boolean;
}

/** Header of a person's page: name, local time and teams, and the status today. */
export function PersonHead({person, hasLeft, isHidden}: PersonHeadProps) {
  const {people} = texts;
  const {name = people.someone, isMe, member, teams} = person;
  useTitle(name);
  const roles: Readonly<Record<string, string>> = people.roles;
  return (
    <header className={styles['head']}>
      <span className={styles['disc']}>
        <Initials name={name} size={32} />
      </span>
      <div className={styles['words']}>
        <h1>
          <bdi>{name}</bdi>
          {isMe && <span className={styles['you']}> ({texts.parts.you})</span>}
        </h1>
        <ul className={styles['facts']}>
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
          {typeof member?.email === 'string' && <li>{member.email}</li>}
        </ul>
        {hasLeft && <p className={styles['note']}>{people.left}</p>}
        {isHidden && <p className={styles['note']}>{people.hidden}</p>}
        {teams.length > 0 && (
          <ul aria-label={texts.frame.teams} className={styles['teams']}>
            {teams.slice(0, mostTeams).map((team) => (
              <TeamMembership key={team.id} person={person} team={team} />
            ))}
            {teams.slice(mostTeams).map(({id, slug, name: other}) => (
              <li className={styles['team']} key={id}>
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
    <li className={styles['team']}>
      <Link params={{team: team.slug}} to="/t/$team">
        {team.name}
      </Link>
      {role === 'lead' && <Badge>{people.lead}</Badge>}
      {day !== undefined && (
        <span className={styles['status']}>
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
