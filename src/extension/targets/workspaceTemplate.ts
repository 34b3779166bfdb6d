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
      // Program and arguments, run without a shell in "cwd". {port} is replaced by the port that was chosen, {java} by the java program;
      // {arguments} is where the arguments of the settings go, e.g. ["java", "{arguments}", "-jar", "app.jar"]: else they go to the end.
      "command": ["node", "server.js"],
      "cwd": ".",
      // A JDK of its own: "java": "/usr/lib/jvm/jdk-21" (or "\${env:JDK_21}"). At most so many cores: "cores": 1.
      // How the service learns its port: an environment variable, or { "fixed": 8080 }.
      "port": { "env": "PORT" },
      // A request that is answered with 2xx once the service is ready.
      "ready": { "path": "/health" },
      // What is asked of it. The first route is the default; "weight" is its share of the mix, 0: only when it is asked for by name.
      // Each GET is asked once before it is measured; one that is meant to fail says "askFirst": false.
      "routes": [
        { "path": "/items/:id", "weight": 4, "parameters": { "id": { "min": 1, "max": 1000 } } },
        { "path": "/items", "weight": 1 }
      ],
      // What can be compared. Each setting says how it reaches the service: by a variable ("env"), or by "arguments" in which {value} is replaced:
      //   "heapMb": { "default": 512, "min": 64, "max": 4096, "unit": "MiB", "arguments": ["-Xmx{value}m"] }
      // One of some words instead of a number:
      //   "threads": { "kind": "choice", "choices": ["platform", "virtual"], "default": "platform", "env": "THREADS" }
      "settings": {
        "pool": { "label": "Pool size", "default": 8, "min": 1, "max": 64, "env": "DB_POOL_SIZE" }
      },
      // Leave this out if the service needs no PostgreSQL. The names are the variables your service reads:
      // "url" (postgres://…), "jdbcUrl" (jdbc:postgresql://…), "r2dbcUrl" (r2dbc:postgresql://…), or "host", "port", "user", "password" and "database" by themselves.
      "postgres": {
        "env": { "url": "DATABASE_URL" },
        "database": "my_service",
        // SQL files that create and fill the tables, applied once each, in this order; "prepare" is one that is applied before every run.
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
