// Takes a sign-in link, says who is signed in, and signs out. The button uses a link up, so nothing that
// opens it by itself does.
const card = document.querySelector('.card');
const [heading, lead, note, actions] = ['h1', '.lead', '.note', '.actions'].map((one) =>
  card.querySelector(one),
);

/** A door route; what another site sends lacks the header. */
async function ask(method, path, body) {
  const answer = await fetch(path, {
    method,
    headers: {'X-Standup-Dashboard': '1', ...(body && {'Content-Type': 'application/json'})},
    ...(body && {body: JSON.stringify(body)}),
  });
  const content = answer.status === 204 ? {} : await answer.json();
  if (!answer.ok) throw Object.assign(new Error(content.detail), {status: answer.status});
  return content;
}

function show({title, text, small = '', buttons = []}) {
  heading.textContent = title;
  lead.textContent = text;
  note.textContent = small;
  note.hidden = small === '';
  actions.replaceChildren(...buttons);
  card.setAttribute('aria-busy', 'false');
}

function button(label, act, isFirst = false) {
  const made = document.createElement('button');
  made.textContent = label;
  made.type = 'button';
  made.className = isFirst ? 'first' : '';
  made.addEventListener('click', () => {
    for (const one of actions.children) one.disabled = true;
    act().catch(showProblem);
  });
  return made;
}

const otherLink =
  'Whoever runs this service prints a link with “npm run standup -- login --member <e-mail>”. Owners and admins of the workspace make them too.';

const providers = JSON.parse(document.querySelector('meta[name="sign-in-providers"]').content);

/** The door leads on from there. */
const links = () =>
  providers.map(({id, name}) => {
    const made = document.createElement('a');
    const to = new URLSearchParams(location.search).get('to');
    made.href = `/app/sign-in/${id}${to === null ? '' : `?${new URLSearchParams({to: `/app${to}`})}`}`;
    made.textContent = `Sign in with ${name}`;
    return made;
  });

function showProblem({status, message}) {
  if (status === 401 || status === 403) {
    link = '';
    return show({title: 'This did not work', text: message, small: otherLink});
  }
  show({
    title: 'This did not work',
    text: status === undefined ? 'The service does not answer.' : message,
    buttons: [button('Try again', start, true)],
  });
}

async function offerLink(offered) {
  const {member, workspace} = await ask('POST', '/app/session', {link: offered, look: true});
  const proceed = async () => {
    await ask('POST', '/app/session', {link: offered});
    link = '';
    history.replaceState(null, '', '/app/sign-in');
    await start();
  };
  show({
    title: 'Sign in',
    text: `To the workspace “${workspace.name}”.`,
    small: 'The link works once. Whoever was signed in here before is signed out.',
    buttons: [button(`Continue as ${member.name}`, proceed, true)],
  });
}

async function showSession() {
  let granted;
  try {
    granted = await ask('POST', '/app/session/token');
  } catch (error) {
    if (error.status !== 401) throw error;
    return show({
      title: 'You are not signed in',
      text: 'Open a sign-in link to sign in. There is no password.',
      small: otherLink,
      buttons: links(),
    });
  }
  const answer = await fetch('/v1/me', {headers: {Authorization: `Bearer ${granted.token}`}});
  const {principal, workspace} = await answer.json();
  const leave = (path) => async () => {
    await ask('DELETE', path);
    await start();
  };
  show({
    title: `Hello, ${principal.name}`,
    text: `You are signed in to the workspace “${workspace.name}”.`,
    buttons: [
      button('Sign out', leave('/app/session')),
      button('Sign out everywhere', leave('/app/session?everywhere=true')),
    ],
  });
}

/** Until it is used up, or turns out to be. */
let link = '';

async function start() {
  const asked = new URLSearchParams(location.search);
  if (asked.has('problem')) {
    const what = `${asked.get('problem')}, request ${asked.get('request')}`;
    return show({
      title: 'This did not work',
      text: `The sign-in came to nothing (${what}).`,
      buttons: links(),
    });
  }
  if (location.hash.length > 1) {
    link = location.hash.slice(1);
    // It stays neither in the address nor in the history.
    history.replaceState(null, '', location.pathname);
  }
  await (link === '' ? showSession() : offerLink(link)).catch(showProblem);
}

addEventListener('hashchange', () => void start());
await start();
