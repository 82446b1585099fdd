// The service worker of notifications. Browsers show none without one. It answers no requests and keeps
// nothing: it only opens the page of a notification that is pressed.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openTeam(event.notification.data));
});

async function openTeam({team}) {
  const windows = await self.clients.matchAll({type: 'window', includeUncontrolled: true});
  const tab = windows.find(({url}) => new URL(url).pathname.startsWith('/app'));
  if (tab === undefined) return self.clients.openWindow(`/app/t/${team}?write=${team}`);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a tab of ours is no other origin
  tab.postMessage({team});
  return tab.focus();
}
