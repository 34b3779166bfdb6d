/** A complete benchside.json to start from: one target on the bundled PostgreSQL, every part explained. */
export function workspaceTemplate(): string {
  return `// Targets of this workspace that Benchside can start, put load on and compare.
// Change the values below to fit your service, then run "Benchside: Run Benchmark". Completion works everywhere in this file.
{
  "targets": [
    {
      "id": "my-service",
      "label": "My service",
      // "node" and "jvm" are observed in more detail; anything else is "other".
      "runtime": "node",
      // Program and arguments, run without a shell in "cwd". {port} is replaced by the port that was chosen.
      "command": ["node", "server.js"],
      "cwd": ".",
      // How the service learns its port: an environment variable, or { "fixed": 8080 }.
      "port": { "env": "PORT" },
      // A request that is answered with 2xx once the service is ready.
      "ready": { "path": "/health" },
      // What is asked of it. The first route is the default; "weight" is its share of the mix.
      "routes": [
        { "path": "/items/:id", "weight": 4, "parameters": { "id": { "min": 1, "max": 1000 } } },
        { "path": "/items", "weight": 1 }
      ],
      // What can be compared. Each setting says how it reaches the service.
      "settings": {
        "pool": { "label": "Pool size", "default": 8, "min": 1, "max": 64, "env": "DB_POOL_SIZE" }
      },
      // Leave this out if the service needs no PostgreSQL. The names are the variables your service reads.
      "postgres": {
        "env": { "url": "DATABASE_URL" },
        "database": "my_service",
        // SQL files that create and fill the tables, applied once each, in this order.
        "sql": []
      }
    }
  ],
  // Load profiles of your own, beside the bundled ones.
  "loadProfiles": [
    { "name": "evening", "description": "32 connections, three rounds", "connections": 32, "durationS": 4, "rounds": 3 }
  ]
}
`;
}
