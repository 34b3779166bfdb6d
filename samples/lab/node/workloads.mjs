import { endSession, getAccount, postAccount, postSession } from './workloads/accounts.mjs';
import { compute } from './workloads/compute.mjs';
import { postCounter } from './workloads/counters.mjs';
import { getDocument } from './workloads/documents.mjs';
import { andClose, beside, deriveKey, inTwoPieces, withOwnPool } from './workloads/hiddenCauses.mjs';
import { checkOut, leave, nested } from './workloads/heldConnections.mjs';
import { waitLocked } from './workloads/lock.mjs';
import { allocate } from './workloads/memory.mjs';
import { getReport } from './workloads/report.mjs';
import { listReviews, postReview } from './workloads/reviews.mjs';
import { getSearch } from './workloads/search.mjs';
import { getPage, getStaticFile } from './workloads/staticFiles.mjs';
import { postUpload } from './workloads/uploads.mjs';

/** The routes in addition to those of the sample, each with a limit of its own. */
export const workloads = [
  { pattern: /^\/static\/(.*)$/s, methods: { GET: getStaticFile } },
  { pattern: /^\/page$/, methods: { GET: getPage } },
  { pattern: /^\/search$/, methods: { GET: getSearch } },
  { pattern: /^\/report$/, methods: { GET: getReport } },
  { pattern: /^\/reviews$/, methods: { GET: listReviews, POST: postReview } },
  { pattern: /^\/documents\/([^/]+)$/, methods: { GET: getDocument } },
  { pattern: /^\/counters\/([^/]+)$/, methods: { POST: postCounter } },
  { pattern: /^\/checkout$/, methods: { GET: checkOut } },
  { pattern: /^\/nested$/, methods: { GET: nested } },
  { pattern: /^\/leave$/, methods: { GET: leave } },
  { pattern: /^\/allocate$/, methods: { GET: allocate } },
  { pattern: /^\/locked$/, methods: { GET: waitLocked } },
  { pattern: /^\/compute$/, methods: { GET: compute } },
  { pattern: /^\/beside$/, methods: { GET: beside } },
  { pattern: /^\/own-pool$/, methods: { GET: withOwnPool } },
  { pattern: /^\/key$/, methods: { GET: deriveKey } },
  { pattern: /^\/pieces$/, methods: { GET: inTwoPieces } },
  { pattern: /^\/close$/, methods: { GET: andClose } },
  { pattern: /^\/accounts$/, methods: { POST: postAccount } },
  { pattern: /^\/account$/, methods: { GET: getAccount } },
  { pattern: /^\/session$/, methods: { POST: postSession, DELETE: endSession } },
  { pattern: /^\/uploads$/, methods: { POST: postUpload } },
];
