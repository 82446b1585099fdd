import {useState} from 'react';
import {send} from '../api/send.ts';
import {Card} from '../parts/card.tsx';
import {CheckBox} from '../parts/check-box.tsx';
import {ConfirmFirst} from '../parts/confirm-first.tsx';
import {SecretAddresses} from '../parts/secret-addresses.tsx';
import {TextField} from '../parts/text-field.tsx';
import {dateInZone, formatDay} from '../texts/format.ts';
import {texts} from '../texts/texts.ts';

interface SharePanelProps {
  readonly team: string;
  readonly monday: string;
  /** False if the team does not show who missed a standup. */
  readonly mayName: boolean;
}

/** Creates links with which people without an account read this week, and lists the viewer's links. */
export function SharePanel({team, monday, mayName}: SharePanelProps) {
  const say = texts.trends.sharing;
  const [name, setName] = useState('');
  const [names, setNames] = useState(false);
  const [blockers, setBlockers] = useState(false);
  const make = () =>
    send('post', '/v1/share-links', {
      body: {team, monday, names, blockers, ...(name.trim() !== '' && {name: name.trim()})},
    });
  return (
    <Card label={say.heading}>
      <h2>{say.heading}</h2>
      <p className="mb-3 text-quiet">{say.text}</p>
      <ConfirmFirst scope="tokens:manage">
        <SecretAddresses
          icon="link"
          kind="share_link"
          make={make}
          say={{
            ...say,
            describe: ({expires_at: endsAt}, used) =>
              `${say.ends({day: formatDay(dateInZone(endsAt))})} · ${used === undefined ? say.notRead : say.read({when: used})}`,
          }}
        >
          <div className="w-full max-w-narrow">
            <TextField hint={say.nameHint} isOptional label={say.name} onChange={setName} value={name} />
          </div>
          {mayName && <CheckBox isSelected={names} label={say.names} onChange={setNames} />}
          <CheckBox isSelected={blockers} label={say.blockers} onChange={setBlockers} />
        </SecretAddresses>
      </ConfirmFirst>
    </Card>
  );
}
