/** What the image's HEALTHCHECK runs: ends with 0 where the server of this container can serve, or its worker can work. */
const { PORT, WORKER_HEALTH_PORT } = process.env;
try {
  const { ok } = await fetch(`http://127.0.0.1:${WORKER_HEALTH_PORT || PORT || 8080}/health`);
  process.exitCode = ok ? 0 : 1;
} catch (error) {
  console.error(error.cause?.message ?? error.message);
  process.exitCode = 1;
}
