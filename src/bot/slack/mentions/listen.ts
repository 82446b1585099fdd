// Channel messages that begin with a mention of the bot. Direct messages are handled in typing/.
import {z} from 'zod';
import type {RespondArguments} from '@slack/bolt';
import {hello, isUpdateTooShort, parseCommand} from '../../typed/parse-command.js';
import {presentAnswer, privateAnswer, readBlocks} from '../blocks/blocks.js';
import {actionsRow} from '../blocks/shapes.js';
import {formButton, createRunButton} from '../answers/buttons.js';
import {postUpdate} from '../commands/post.js';
import {readCommandText} from '../core/find-names.js';
import {askWhetherUpdate, answerWithoutView, presentContinueButton} from '../commands/subcommands.js';
import {errorCodeOf} from '../core/clients.js';
import {sendDirectMessage} from '../core/responses.js';
import type {SlackContext, SlackRequest} from '../core/context.js';
import {listenToEvent} from '../core/listeners.js';
import {explainError} from '../core/refusals.js';

/** A mention of the bot by a person. Slack: https://docs.slack.dev/reference/events/app_mention */
const mention = z.object({
  channel: z.string(),
  user: z.string(),
  bot_id: z.undefined().optional(),
  text: z.string().catch(''),
  ts: z.string(),
  thread_ts: z.string().optional().catch(undefined),
});

/** Listens to `@Standup` with the arguments of `/standup`, answered in the channel but only to the author. */
export function listenToMentions(context: SlackContext): void {
  const {identities, log} = context;

  listenToEvent(context, 'app_mention', async ({event, body, origin}) => {
    const said = mention.safeParse(event).data;
    if (said === undefined) return;
    const user = {id: said.user, name: ''};
    const respond = (message: RespondArguments) => answerPrivately(origin, said, message);
    const request: SlackRequest = {
      origin,
      user,
      channel: said.channel,
      // This is not a real trigger id: it opens no modal, but identifies the actions of this message.
      triggerId: `mention-${said.channel}-${said.ts}`,
      translation: await identities.translationFor(origin, user),
      thread: said.thread_ts,
      respond,
    };
    const typed = readTextAfterBotName(said.text, body.authorizations?.[0]?.user_id);
    const answer = await answerMention(request, typed).catch((error: unknown) =>
      privateAnswer(explainError(context, error, request.translation.texts).sentence),
    );
    await respond(answer);
  });

  async function answerMention(request: SlackRequest, typed: string | undefined): Promise<RespondArguments> {
    const {translation, triggerId: key} = request;
    if (typed === undefined) {
      const {mentionFirst, seeHelp} = translation.texts.typed;
      const help = createRunButton({word: 'help', key}, seeHelp);
      return presentAnswer(translation.texts, mentionFirst, '', actionsRow(...help));
    }
    const text = (await readCommandText(context, request, {text: typed})).trim();
    const parsed = parseCommand(text === '' ? hello : text);
    if (parsed.kind !== 'update') return answerWithoutView(context, request, parsed);
    if (parsed.text === undefined && isUpdateTooShort(text)) return askWhetherUpdate(translation, text, key);
    const posted = await postUpdate(context, request, {update: parsed.text ?? text, key});
    if (posted.outcome !== 'form') return posted.answer;
    const {openForm} = translation.texts.typing;
    return presentContinueButton(translation, formButton(openForm, {...posted.request, replaces: true}));
  }

  /** Shows the answer only to the author, in the channel or, if Slack refuses that, by direct message. */
  async function answerPrivately(
    origin: SlackRequest['origin'],
    {channel, user, thread_ts}: z.infer<typeof mention>,
    message: RespondArguments,
  ): Promise<void> {
    const {text = ''} = message;
    const blocks = readBlocks(message);
    const shown = {text, ...(blocks !== undefined && {blocks})};
    try {
      const client = await identities.findClient(origin, identities.answerBy());
      const at = {channel, user, ...(thread_ts !== undefined && {thread_ts})};
      await client.chat
        .postEphemeral({...at, ...shown, parse: 'none', link_names: false})
        .catch(() => sendDirectMessage(client, user, shown));
    } catch (error) {
      log.warn({code: errorCodeOf(error)}, 'could not answer a person in Slack');
    }
  }
}

/** Returns the text after the bot's name; undefined if the message does not begin with the name. */
function readTextAfterBotName(text: string, bot: string | undefined): string | undefined {
  const [, id, typed = ''] = /^\s*<@(\w+)(?:\|[^<>]*)?>\s*[:,]?\s*([^]*)$/.exec(text) ?? [];
  return id !== undefined && id === bot ? typed : undefined;
}
