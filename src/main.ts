import { serve } from '@hono/node-server';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(
    `Atelier needs Node 24; this is ${process.version}. Start it with "npm start", which uses the Node that "npm ci" installs.`,
  );
  process.exit(1);
}

const { readConfig } = await import('./config.ts');
const { openApp } = await import('./app.ts');
await start();

/** Reads the settings, opens the app, listens, and stops cleanly on SIGTERM or SIGINT: running calls finish first. */
async function start(): Promise<void> {
  const config = orExplain(readConfig);
  const server = serve({
    fetch: (request, env) => app.fetch(request, env),
    port: config.PORT,
    hostname: config.HOST,
  });
  server.once('error', (error) => {
    console.error(`Cannot listen on ${config.HOST}:${config.PORT}: ${error.message}`);
    process.exit(1);
  });
  await new Promise((resolve) => server.once('listening', resolve));
}

function orExplain<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}
