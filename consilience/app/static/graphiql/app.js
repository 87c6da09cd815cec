// GraphiQL on this service's own endpoint. Expects the page at /graphiql/ and the endpoint at /graphql.
"use strict";

const ENDPOINT = new URL("../graphql", document.baseURI);

const FIRST_QUERY = `# Who said what about a question. Press the triangle, or Ctrl-Enter.
query Ask {
  status { version neo4j gds embedder pendingJobs healthy }
  recall(input: { query: "Where do we meet?", first: 5 }) {
    hits {
      rank
      score
      parts { meaning words recency confidence }
      memory {
        id
        kind
        text
        ... on Episode { occurredAt contributor { externalId name } }
      }
    }
  }
}
`;

// What people said stays in the database: GraphiQL's history and tabs, which hold queries and their literals, are kept in memory only.
const memory = new Map();
const storage = {
  get length() { return memory.size; },
  getItem: (key) => memory.get(key) ?? null,
  setItem: (key, value) => { memory.set(key, value); },
  removeItem: (key) => { memory.delete(key); },
  clear: () => { memory.clear(); },
};

async function fetcher(request, options) {
  const response = await fetch(ENDPOINT, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json", ...options?.headers },
    body: JSON.stringify(request),
    credentials: "same-origin",
  });
  const body = await response.text();
  try {
    return JSON.parse(body);
  } catch {
    return { errors: [{ message: `the service answered ${response.status} and no JSON` }] };
  }
}

ReactDOM.createRoot(document.getElementById("graphiql")).render(
  React.createElement(GraphiQL, { fetcher, storage, defaultQuery: FIRST_QUERY, isHeadersEditorEnabled: true, shouldPersistHeaders: false }),
);
