import {useNavigate} from '@tanstack/react-router';
import type {Schema, Team} from '../../api/schema.ts';
import {Button} from '../../parts/button.tsx';
import {Card} from '../../parts/card.tsx';
import {hasFeature} from '../../parts/features.ts';
import {hasSlack} from '../../parts/has-slack.ts';
import {findBrowserZone} from '../../parts/zones.ts';
import {texts} from '../../texts/texts.ts';
import {addSkip} from './skips.ts';
import {describeTeam} from './welcome-lines.ts';

/** Says to a new member what their team does, until their first standup or *Got it*. */
export function Welcome({me, team}: {readonly me: Schema<'Me'>; readonly team: Team}) {
  const navigate = useNavigate();
  const {welcome: say} = texts.setup;
  const zone = me.timezone ?? findBrowserZone();
  return (
    <div className="mb-6">
      <Card labelledBy="welcome">
        <h2 id="welcome">{say.title({team: team.name, name: me.principal.name})}</h2>
        {describeTeam(team, {isReminded: hasSlack() || hasFeature('mail'), zone}).map((line) => (
          <p key={line}>{line}</p>
        ))}
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            icon="write"
            kind="first"
            onPress={() => void navigate({to: '.', search: (before) => ({...before, write: team.slug})})}
          >
            {say.write}
          </Button>
          <Button onPress={() => addSkip(me.principal.id, 'welcome')}>{say.gotIt}</Button>
        </div>
      </Card>
    </div>
  );
}
