import type {WebClient} from '@slack/web-api';
import type {Log} from '../../../domain/core/log.js';
import {section} from '../blocks/shapes.js';
import {escapeText} from '../blocks/text.js';
import {sendDirectMessage} from '../core/direct-message.js';
import type {SlackTranslation} from '../blocks/slack-translation.js';
import {presentSetupOffer} from '../setup/offer.js';

/** The person who installed the bot. */
export interface Installer {
  readonly slackUser: string;
  readonly name: string;
  readonly isOwner: boolean;
}

/** Greets the person who installed the bot. A refusal of Slack is only logged: the bot is installed. */
export async function greetInstaller(
  client: WebClient,
  installer: Installer,
  translation: SlackTranslation,
  log: Log,
): Promise<void> {
  const {greeting, youOwn} = translation.texts.install;
  const sentences = [greeting({name: escapeText(installer.name)}), ...(installer.isOwner ? [youOwn] : [])];
  const text = sentences.join(' ');
  try {
    const blocks = [section(text), ...presentSetupOffer(translation, '')];
    await sendDirectMessage(client, installer.slackUser, {text, blocks});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log.warn({reason}, 'could not greet the person who installed the bot');
  }
}
