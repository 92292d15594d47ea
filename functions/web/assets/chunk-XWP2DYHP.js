function e(r){return(r??[]).flatMap(o=>[o,...e(Object.values(o.decisionCases??{}).flat()),...e(o.defaultCase),...e((o.forkTasks??[]).flat()),...e(o.loopOver)])}export{e as a};
