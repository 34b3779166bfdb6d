const usageText = `Benchside: which pool size, thread count or instance count to use, and why.

Usage: benchside <command> [options]

  tune       find the smallest setting that is as good as the best, with evidence
      --target ID            a target; may be repeated (see "benchside check" for the ids)
      --set NAME=V1,V2,…     values to choose among, e.g. pool=2..64 (powers of two) or threads=8,16,32; two settings make a grid;
                             "instances" is known for every target
      --budget TIME          how long it may take: seconds, or e.g. "2 min" (default 120)
      --delta PERCENT        what may be given up for a smaller setting (default 5)
      --mode MODE            auto, live, process-per-setting or restart-per-block (default auto)
      --confirm              measure the answer once more in fresh processes
      --total-connections N  database connections of all instances together
      --connections N        connections of the closed loop
      --save NAME            keep what was asked for as an experiment, too
      --load, --route, --slo, --seed, --proxy, --proxy-static, --proxy-close, --cpu-share, --raw as for run
      --record               record a flame graph of the answer and of the best, after everything was measured
  experiment NAME|FILE       run an experiment that was saved, or repeat a published one by its id (C1; C for all of C1 to C4)
      --list                 show what there is, how long it takes and what it needs
      --full                 the full form of a published experiment instead of the short one
      --soak TIME            how long its soak lasts instead, e.g. 12h (D1)
  run        start the targets and PostgreSQL, put load on them, compare the settings
      --target ID            a target; may be repeated
      --set NAME=V1,V2,…     values of a setting, e.g. pool=2,4,8 or pool=2..64; may be repeated
      --load PROFILE         load profile (default steady)
      --route ROUTE          one route instead of the mix, e.g. /ads/:id or "POST /ads"
      --connections N[,N…]   connections of the closed loop
      --duration SECONDS     length of each measured block
      --budget TIME          rounds go on until the answer is decided or so long was measured: seconds, or e.g. "2 min"
      --rounds N             exactly so many interleaved rounds
      --rate N               an open loop: N requests a second, whatever the app does; the values are compared by latency
      --slo OBJECTIVE        what must hold, e.g. "p99 <= 50 ms, errors < 0.1 %"; exit status 3 when it does not
      --record               record a flame graph of each trial, after everything was measured
      --seed N               seed of request order and shuffling
      --proxy BALANCE        nginx before the instances of each target: round-robin or least-conn; how many instances there are says --set instances=2
      --proxy-static         nginx answers /static/ itself, from the folder “static” of the target
      --proxy-close          a new connection from nginx to an instance for each request
      --cpu-share CORES      what each process of a target may use, e.g. 0.5
      --total-connections N  database connections of all instances together
      --raw[=SHARE]          keep every request as a row of its own, or a share of them, e.g. --raw=10%
  raw                        raw samples that runs have kept: raw list, raw load RUN, raw query RUN VIEW [--limit N],
                             raw export RUN -o FILE.csv|FILE.parquet; views: by_second, by_route, latency_percentiles,
                             where_time_goes, slowest, errors, requests
  runs       list the runs of this folder
  compare A B                two runs side by side ("last" and "previous" are understood), or two settings
      --trial KEY            which trial; given twice, the second is that of B
  report RUN -o FILE         a report; .html, .md or .csv by the file's ending (--format decides otherwise)
  delete RUN                 delete a run
  flamegraph FILE|RUN        where the time goes in a recording: .cpuprofile, .heapprofile, .jfr, pprof, speedscope, collapsed stacks,
                             or what was recorded of a run ("last", "previous", an id)
      --event NAME           which of its events, e.g. cpu or wall (default: the first that was counted)
      --trial KEY            which trial of the run; given twice, the second is that of --diff
      --diff FILE|RUN        compare with this one; svg, collapsed or json
      --normalise HOW        request, share or raw (default: per request where the requests are known, else share)
      --format FORMAT        svg, collapsed, pprof, speedscope, json or html (default: by the ending of -o, else svg)
      -o FILE                write there instead of to standard output
  check      what this machine can tell apart, whether it is ready, and what can be benchmarked here
      --lab                  also what is planted for studies and tests
  stop       end whatever earlier runs have left behind

Options of all commands
      --json                 print one JSON document on standard output
      --workspace DIR        folder of benchside.json and of the runs (default: this folder)
      --node PATH, --java PATH, --postgres-url URL
  -h, --help, --version

Exit status: 0 done, 1 failed, 2 wrong usage, 3 an objective was missed.`;

/** What `--help` prints. */
export function usage(): string {
  return usageText;
}
