import type {ContextBlock} from '@slack/types';
import type {OutgoingMessage} from '../posting/messages.js';

/** Presents the author's picture, and their name in an element in which Slack finds no markup. */
export function presentProfile(name: string, picture: string): ContextBlock {
  const text = {type: 'plain_text', text: name, emoji: false} as const;
  return {type: 'context', elements: [{type: 'image', image_url: picture, alt_text: name}, text]};
}

/** Returns the message without its pictures; undefined if there are none. */
export function removePictures(message: OutgoingMessage): OutgoingMessage | undefined {
  const {blocks = []} = message;
  let had = false;
  const plain = blocks.map((block) => {
    if (block.type !== 'context') return block;
    const elements = block.elements.filter(({type}) => type !== 'image');
    had ||= elements.length < block.elements.length;
    return {...block, elements};
  });
  return had ? {...message, blocks: plain} : undefined;
}

/** Slack's error codes for a message with a picture that Slack refuses. They can have other causes too. */
export const pictureRefusals: ReadonlySet<string> = new Set([
  'invalid_blocks',
  'invalid_blocks_format',
  'downloading_file_failed',
]);
