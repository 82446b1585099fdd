import type {MailBlock} from '../domain/mail/mail-content.js';

/** Renders a mail as plain text. */
export function toText(blocks: readonly MailBlock[]): string {
  return `${blocks.map(renderBlock).join('\n\n')}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.type) {
    case 'button':
    case 'link':
      return `${block.label}:\n${block.url}`;
    case 'list':
      return [block.title, ...block.items.map((item) => `- ${item}`)].join('\n');
    case 'quote':
      return block.text.replaceAll(/^/gm, '> ');
    case 'paragraph':
    case 'small':
    case 'code':
      return block.text;
  }
}
